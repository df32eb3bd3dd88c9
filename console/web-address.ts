/** A typed web address; a name without "https://" gets it, as in the address bar. */
export function webAddress(typed: string): string {
  const address = typed.trim()
  return /^[\p{L}\p{N}.-]+\.\p{L}[\p{L}\p{N}-]+([/?#]|$)/u.test(address) ? `https://${address}` : address
}
