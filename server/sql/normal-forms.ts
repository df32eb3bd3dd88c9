/**
 * A text as it is and with its accents composed and decomposed: they look alike, and programs and file systems write either.
 * For comparing with what is stored, which may be in any of them.
 */
export function normalForms(text: string): string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])]
}
