import { headerSet } from './header-names.ts'

/** May be about many things, so unknown words mean nothing. */
export const LOOSE = headerSet(`
  status | state | review status | reviews status | review state | feedback status | visibility | statut | estado | stato | sichtbarkeit | stan | durum
  state label | status label | review state label | review status label | status value | status code | status id | status name | status text | status title
  situação | situación | статус | состояние | стан | stav | állapot | státusz | stare | κατάσταση | tila | tilstand | trạng thái | สถานะ | staatus | statuss | būsena | estat | staða | وضعیت | स्थिति
  ステータス | 状態 | 状态 | 狀態 | 상태 | الحالة | סטטוס
  bewertungsstatus | status der bewertung | statut de l'avis | estado de la reseña | estado de la opinión | stato recensione | stato della recensione | reviewstatus | status da avaliação
  status opinii | status recenzji | stav recenze | stav hodnocení | статус отзыва | статус відгуку | yorum durumu | status ulasan | trạng thái đánh giá | สถานะรีวิว
  レビュー状態 | レビューステータス | 口コミ状態 | 리뷰 상태 | 评论状态 | 评价状态 | 評論狀態 | 評價狀態 | حالة التقييم | حالة المراجعة`)
/** Only about whether the review is shown. */
export const STRICT = headerSet(`
  moderation status | moderation state | moderation | moderated status | approval status | published status | publish status | publication status
  publishing status | is approved | approved | comment approved | is published | published | publish | is public | public | publicly visible
  is visible | visible | is active | active | enabled | is enabled | displayed | display | is displayed | show | show on site | show on website
  publishable | quotable | shareable | can publish | can be published | can be shared | can be quoted | ready to publish | ready for publication | can use | can quote
  approved for use | approved by client | approved by customer | client approved | client approval | customer approved | customer approval | permission granted | permission given
  permission received | permission obtained | consent given | consent granted | consent received | consent obtained | release signed | release form signed
  publizierbar | zitierfähig | zitierbar | für website freigegeben | zur veröffentlichung freigegeben | freigabe website | website freigabe | kann veröffentlicht werden
  publiable | peut être publié | publicable | puede publicarse | se puede publicar | pubblicabile | può essere pubblicato | publicável | pode ser publicado
  publiceerbaar | mag gepubliceerd worden | mag worden gepubliceerd | mag op website | mag op de website | 掲載可 | 公開可 | 引用可
  validate | validated | is validated | online | veröffentlicht | freigegeben | freigeschaltet | öffentlich | aktiv | sichtbar | publié | approuvé | visible
  actif | publicado | aprobado | activo | pubblicato | approvato | attivo | visibile | gepubliceerd | goedgekeurd | zichtbaar | actief | aprovado | ativo
  veröffentlichen | publizieren | freigeben | anzeigen | online stellen | publier | à publier | afficher | en ligne | publicar | mostrar | exibir
  pubblica | pubblicare | mostrare | publiceren | tonen | plaatsen | publikować | opublikować | zveřejnit | publicera | offentliggør | julkaise
  публиковать | опубликовать | показывать | yayınla | göster | 掲載する | 公開する | approved for website
  freigabe | veröffentlichung
  curated | статус публикации | опубликовано | опубликован | опубліковано | одобрено | статус модерации | opublikowana | opublikowano | zatwierdzona
  widoczna | zveřejněno | schváleno | közzétéve | jóváhagyva | publicat | aprobat | vizibil | δημοσιευμένο | yayında | yayınlandı | onaylı | onay durumu | yayın durumu
  publicerad | godkänd | synlig | offentliggjort | godkendt | publisert | godkjent | julkaistu | hyväksytty | diterbitkan
  公開 | 公開状態 | 公開設定 | 公開ステータス | 公開フラグ | 表示 | 表示状態 | 表示フラグ | 掲載状態 | 掲載 | 承認 | 承認状態 | 承認ステータス | 是否显示 | 是否公开 | 审核状态 | 显示状态 | 发布状态 | 展示状态 | 是否展示
  是否發布 | 是否顯示 | 是否公開 | 審核狀態 | 發布狀態 | 공개 | 공개 여부 | 노출 여부 | 게시 여부 | 승인 여부 | 공개 상태 | 게시 상태 | 승인 상태 | 노출 상태 | 전시 상태 | 전시 여부
  veröffentlichungsstatus | status der veröffentlichung | freigabestatus | moderationsstatus | publikationsstatus | statut de publication | état de publication | statut de modération
  estado de publicación | estado de moderación | estado de aprobación | stato di pubblicazione | stato pubblicazione | stato di moderazione | stato approvazione | publicatiestatus | moderatiestatus
  status de publicação | status da publicação | estado de publicação | situação da publicação | status de moderação | status publikacji | status moderacji | stan publikacji | stav publikace
  stav zveřejnění | stav schválení | stav moderace | stav publikovania | közzétételi állapot | jóváhagyási állapot | stare publicare | status publicare | stare moderare | статус публікації
  статус модерації | статус на публикация | κατάσταση δημοσίευσης | publiceringsstatus | modereringsstatus | udgivelsesstatus | publiseringsstatus | godkjenningsstatus | julkaisutila
  trạng thái duyệt | trạng thái xuất bản | status publikasi | status moderasi | حالة النشر | סטטוס פרסום | סטטוס אישור | สถานะการเผยแพร่ | สถานะการอนุมัติ | وضعیت انتشار | وضعیت تایید`)
/** A question in a word, whose answers may be `I agree`. */
export const CONSENT = headerSet(`
  consent | permission | einwilligung | zustimmung | autorisation | consentement | autorización | consentimiento | consenso
  toestemming | autorização | zgoda | souhlas | samtycke | samtykke | согласие | 同意`)

export const INVERSE = headerSet(`
  do not publish | dont publish | do not show | do not display | do not use | not public | not for publication | not published | hide | internal | is internal | internal only | visible internally only
  confidential | nicht veröffentlichen | nicht anzeigen | nicht zeigen | nicht öffentlich | vertraulich | intern | nur intern | ne pas publier | ne pas afficher
  confidentiel | no publicar | no mostrar | confidencial | non pubblicare | non mostrare | riservato | niet publiceren | niet tonen | niet plaatsen | vertrouwelijk
  não publicar | não mostrar | nie publikować | poufne | nezveřejňovat | не публиковать | konfidentiell | fortroligt
  hidden | is hidden | deleted | is deleted | removed | is removed | archived | is archived | trashed | in trash | spam | is spam | private
  is private | quarantine | quarantined | is quarantined | unpublished | is unpublished | rejected | is rejected | blocked | is blocked | suppressed | draft | is draft | disabled
  flagged | is flagged | reported | is reported | withdrawn | is withdrawn | consent withdrawn | revoked | blacklisted | banned | is test | is test review | test review | is demo
  pending | is pending | on moderation | in moderation | under moderation | awaiting moderation | fivetran deleted
  versteckt | ausgeblendet | gelöscht | privat | masqué | supprimé | privé | oculto | eliminado | privado | nascosto | eliminato | verborgen | verwijderd
  скрыт | скрыто | удален | удалено | приховано | видалено | ukryta | ukryte | usunięta | skryto | smazáno | rejtett | törölt | ascuns | șters | gizli | silindi | dold | raderad
  skjult | slettet | piilotettu | poistettu | 非公開 | 非表示 | 削除 | 削除フラグ | 是否隐藏 | 是否删除 | 是否隱藏 | 是否刪除 | 비공개 | 숨김 | 삭제 | 삭제 여부`)
export const FILLED = headerSet(`
  deleted at | deleted on | date deleted | deletion date | removed at | removed on | removal date | archived at | hidden at | unpublished at
  rejected at | trashed at | rejection reason | reject reason | rejected reason | removal reason | deletion reason | hidden reason | ban reason | sdc deleted at | ab cdc deleted at | gelöscht am | supprimé le | eliminado el | eliminato il | verwijderd op`)
export const PUBLISHED = headerSet(`
  published | published at | published on | publish date | published date | date published | publication date | approved at | approved on
  veröffentlicht am | veröffentlichungsdatum | publié le | date de publication | publicado el | fecha de publicación | pubblicato il
  data di pubblicazione | publicatiedatum | gepubliceerd op | publicado em | data de publicação`)
