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
  ar: '# من 5 نجوم|قراءة المزيد|يفتح في علامة تبويب جديدة',
  cs: '# z 5 hvězdiček|Číst dál|otevře se na nové kartě',
  da: '# ud af 5 stjerner|Læs mere|åbner i en ny fane',
  el: '# από 5 αστέρια|Διαβάστε περισσότερα|ανοίγει σε νέα καρτέλα',
  fi: '# / 5 tähteä|Lue lisää|avautuu uuteen välilehteen',
  he: '# מתוך 5 כוכבים|לקריאה נוספת|נפתח בכרטיסייה חדשה',
  hi: '5 में से # सितारे|और पढ़ें|नए टैब में खुलता है',
  hu: '5 csillagból #|Tovább olvasom|új lapon nyílik meg',
  id: '# dari 5 bintang|Baca selengkapnya|terbuka di tab baru',
  ja: '5つ星のうち#|続きを読む|新しいタブで開きます',
  ko: '별 5개 중 #개|더 보기|새 탭에서 열림',
  nb: '# av 5 stjerner|Les mer|åpnes i en ny fane',
  nn: '# av 5 stjerner|Les meir|blir opna i ei ny fane',
  no: '# av 5 stjerner|Les mer|åpnes i en ny fane',
  pl: '# z 5 gwiazdek|Czytaj dalej|otwiera się w nowej karcie',
  ro: '# din 5 stele|Citește mai mult|se deschide într-o filă nouă',
  ru: '# из 5 звёзд|Читать дальше|откроется в новой вкладке',
  sv: '# av 5 stjärnor|Läs mer|öppnas i en ny flik',
  th: '# จาก 5 ดาว|อ่านเพิ่มเติม|เปิดในแท็บใหม่',
  tr: '5 yıldız üzerinden #|Devamını oku|yeni sekmede açılır',
  uk: '# з 5 зірок|Читати далі|відкриється в новій вкладці',
  vi: '# trên 5 sao|Đọc thêm|mở trong thẻ mới',
  // The button is written alike in simplified and traditional characters; the others are read out.
  zh: '# 星，满分 5 星|全文|在新标签页中打开',
}
