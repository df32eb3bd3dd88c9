/** Names the script of the server's page in its answers, by which an open page knows that the server was updated under it. */
export const PAGE_HEADER = 'x-pullquote-page'
