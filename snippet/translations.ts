/**
 * The snippet's words in languages other than English, for the server and the console; the snippet's file does not contain
 * them.
 */
export const translations: Record<string, string> = {
  de: '# von 5 Sternen|Mehr lesen|öffnet einen neuen Tab',
  fr: '# étoiles sur 5|Lire la suite|s’ouvre dans un nouvel onglet',
  es: '# de 5 estrellas|Leer más|se abre en otra pestaña',
  it: '# stelle su 5|Leggi tutto|si apre in una nuova scheda',
  nl: '# van 5 sterren|Meer lezen|opent in een nieuw tabblad',
  pt: '# de 5 estrelas|Ler mais|abre em novo separador',
}
