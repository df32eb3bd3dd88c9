import { normalizeWord } from './short-cell.ts'

const stemsOf = (list: string) => list.trim().split(/\s+/).map(normalizeWord)

/** Stems of words that hide a review, in inflected languages; Slavic ones first. */
const HIDDEN_STEMS = stemsOf(`
  модерац проверк отклон отказ скрыт удален черновик ожида заблокир неопублик неактив
  перевірк відхил прихов видален чернетк очіку заблоков неопубл
  oczekuj odrzucon ukryt usunięt niezatwierdzon niewidoczn nieopublikowan nieaktywn moderacj weryfikacj
  čekaj zamítnut skryt smazán neschválen nezveřejněn nepublikov
  függőben elutasít rejtett törölt várakoz jóváhagyásra
  așteptare respins ascuns șters neaprobat nepublicat moderare
  bekliyor bekleyen bekleme reddedil gizlen gizli silindi silinmiş taslak pasif inceleniyor incelemede kaldırıld
  onaylanmad onaylanmam yayınlanmad yayınlanmam
  väntar väntande avvisad avslag granskning borttagen utkast opublicerad
  afvent afvist skjult slettet avvist upublisert
  odottaa odottava hylätty piilotettu poistettu luonnos tarkastus julkaisematon
  menunggu ditolak disembunyikan dihapus tertunda moderasi
  чака отхвърл скрит изтри непубл неодобр чернов
  čekanj čeka odbijen skriven obrisan izbrisan neobjavljen neodobren nacrt zavrnjen osnutek
  čakajúc čaká zamietnut vymazan zmazan nezverejnen
  ootel peidet kustutat mustand avaldamata lükat
  gaida noraidīt slēpt dzēst melnrakst nepublicēt
  laukia atmest paslėpt ištrint juodrašt nepaskelbt
  pendent rebutja esborrany bíður hafnað falin eytt
  مخفی پیش लंबित अस्वीकृत छिपा हटा
  αναμον απορριφθ κρυφ κρυμμεν διαγραφ διαγραμμεν προχειρ ελεγχ εκκρεμ ανενεργ
  قيد مرفوض مخفي محذوف انتظار بانتظار معلق مسودة ממתי נדח מוסתר נמחק טיוט`)
/** Stems of words that show it. */
const SHOWN_STEMS = stemsOf(`
  опублик одобр подтвержд активн видим показыва принят
  опублік схвал підтвердж
  opublikowan zatwierdzon zaakceptowan aktywn widoczn
  zveřejněn schválen publikován viditeln
  közzétet közzétev jóváhagyott jóváhagyva látható
  publicat aprobat vizibil
  yayında yayınlan onaylan onaylı aktif görünür
  publicerad godkänd synlig offentliggjort godkendt publisert godkjent
  julkaistu hyväksytty näkyvissä
  diterbitkan disetujui ditampilkan ditayangkan dipublikasikan terbit
  публикув публикац objavljen odobren potrjen zverejnen viditeľn
  avaldatud kinnitatud nähtav publicēt apstiprināt redzam paskelbt patvirtint matom
  aprovat birt samþykkt منتشر تایید प्रकाशित स्वीकृत
  δημοσιε εγκρι εγκεκριμ ενεργ ορατ
  منشور مقبول معتمد نشط مفعل פורסם מפורסם אושר מאושר פעיל גלוי מוצג`)
/** Hiding words in languages without blanks, matched anywhere in a cell; Korean has few. */
const HIDDEN_PARTS = stemsOf(`
  非公開 未公開 限定公開 承認待 未承認 不承認 却下 保留 下書 削除 非表示 未表示 非掲載 未掲載 停止 審査中 確認中 拒否 無効
  待审 审核中 未审核 未通过 不通过 未发布 拒绝 驳回 隐藏 删除 屏蔽 折叠 不展示 未展示 草稿 不显示 禁用 下架
  待審 審核中 未審核 未通過 不通過 未發 拒絕 駁回 隱藏 刪除 不顯示
  비공개 대기 거부 거절 숨김 숨겨 삭제 반려 미승인 미노출 비노출 미전시 전시중지 미게시 검토 임시 차단 보류 비활성
  รอ ปฏิเสธ ซ่อน ลบ ร่าง ไม่`)
const SHOWN_PARTS = stemsOf(`
  公開 承認 表示 掲載 有効 发布 通过 显示 展示 正常 公开 已审核 启用 上架 發布 發佈 通過 顯示 已審核 啟用
  공개 게시 승인 노출 전시 활성 เผยแพร่ อนุมัติ แสดง`)

/** The meaning of a normalized status word in these languages; undefined for unknown words. */
export function foreignVisibility(word: string): 'shown' | 'hidden' | undefined {
  const begins = (stem: string) => word.startsWith(stem)
  const holds = (part: string) => word.includes(part)
  if (HIDDEN_STEMS.some(begins) || HIDDEN_PARTS.some(holds)) return 'hidden'
  return SHOWN_STEMS.some(begins) || SHOWN_PARTS.some(holds) ? 'shown' : undefined
}
