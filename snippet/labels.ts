/**
 * Words by primary language subtag, separated by `|`: the text alternative of the stars (`#` stands for their number),
 * the button of a long review, and what links say to screen readers. A page may add its own; missing ones are English.
 */
export const labels: Record<string, string> = {
  en: '# out of 5 stars|Read more|opens in a new tab',
  de: '# von 5 Sternen|Mehr lesen|öffnet einen neuen Tab',
  fr: '# étoiles sur 5|Lire la suite|s’ouvre dans un nouvel onglet',
  es: '# de 5 estrellas|Leer más|se abre en otra pestaña',
  it: '# stelle su 5|Leggi tutto|si apre in una nuova scheda',
  nl: '# van 5 sterren|Meer lezen|opent in een nieuw tabblad',
  pt: '# de 5 estrelas|Ler mais|abre em novo separador',
}
