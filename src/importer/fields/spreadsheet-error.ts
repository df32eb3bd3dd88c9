/** The display of an uncalculated formula: Excel's own, and ours for formulas without a value in the file. */
export const UNCALCULATED = '#CALC!'

/** Whether a cell is a spreadsheet's error value; `Err:509` is LibreOffice's. */
export function isSpreadsheetError(cell: string): boolean {
  return ERROR.test(cell) || (cell.startsWith('#') && TRANSLATED.has(cell.slice(1)))
}

const ERROR =
  /^(?:#(?:NAME\?|VALUE!|REF!|N\/A|DIV\/0!|NUM!|NULL!|ERROR!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!|PYTHON!|GETTING_DATA)|Err:\d{3})$/i

/** As Excel writes them into CSV in the user's language, one language a line. */
const TRANSLATED = new Set(
  `NV WERT! BEZUG! ZAHL! ÜBERLAUF! KALK!
  VALEUR! NOM? NOMBRE! NUL! PROPAGATION!
  N/D ¡VALOR! ¡REF! ¿NOMBRE? ¡NUM! ¡NULO! ¡DIV/0! ¡DESBORDAMIENTO! ¡CALC!
  VALORE! RIF! NOME? NULLO!
  VALOR! NÚM! NULO!
  N/B WAARDE! VERW! NAAM? GETAL! LEEG! DEEL/0!
  N/D! ARG! ADR! NAZWA? LICZBA! ZERO! DZIEL/0!
  NENÍ_K_DISPOZICI HODNOTA! ODKAZ! NÁZEV? ČÍSLO! DĚLENÍ_NULOU!
  NEDOSTUPNÝ NÁZOV? DELENIENULOU!
  HIÁNYZIK ÉRTÉK! HIV! NÉV? SZÁM! NULLA! ZÉRÓOSZTÓ!
  SAKNAS! VÄRDEFEL! REFERENS! NAMN? OGILTIGT! SKÄRNING! DIVISION/0!
  I/T VÆRDI! REFERENCE! NAVN? VERDI!
  PUUTTUU! ARVO! VIITTAUS! NIMI? LUKU! TYHJÄ! JAKO/0!
  Н/Д ЗНАЧ! ССЫЛКА! ИМЯ? ЧИСЛО! ПУСТО! ДЕЛ/0!
  ЗНАЧЕННЯ! ПОСИЛАННЯ! ДІЛ/0!
  YOK DEĞER! BAŞV! AD? SAYI! BOŞ! SAYI/0!
  Δ/Υ ΤΙΜΗ! ΑΝΑΦ! ΟΝΟΜΑ? ΑΡΙΘ! ΔΙΑΙΡ/0!`.split(/\s+/),
)
