const AGAIN = 'Try again in a minute; if this stays, tell whoever runs the server.'

/** What the API advises a program, by what somebody at the page can do. */
const ADVICE: [program: RegExp, owner: string][] = [
  [/(?:Nothing was written|What was to be stored now is not): .*$/, `Nothing was changed. ${AGAIN}`],
  [/The request may have been carried out: .*$/, 'It may have been done all the same: look before you do it again.'],
  [/What this request belongs to was deleted while it ran\..*$/, 'What this belongs to has been deleted meanwhile.'],
  [
    /^Something failed on the server\. Its log has the cause under request (\S+)\.$/,
    `Something failed on the server. ${AGAIN} Its log has the cause under request $1.`,
  ],
]

/** Rewords the message of a failed request for the page. */
export function ownerWords(message: string): string {
  return ADVICE.reduce((said, [program, owner]) => said.replace(program, owner), message)
}
