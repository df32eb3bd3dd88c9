/** The text alternative of the stars by primary language subtag; `#` stands for their number. A page may add its own. */
export const labels: Record<string, string> = {
  en: '# out of 5 stars',
  de: '# von 5 Sternen',
  fr: '# étoiles sur 5',
  es: '# de 5 estrellas',
  it: '# stelle su 5',
  nl: '# van 5 sterren',
  pt: '# de 5 estrelas',
}
