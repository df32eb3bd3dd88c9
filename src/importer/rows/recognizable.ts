import type { ReviewInput } from '../../contract/review.ts'
import { ANONYMOUS } from '../fields/author.ts'

/** Shorter texts ("Great!") are written by many. */
export const LEAST_LENGTH = 20

/** Whether author and text say enough to recognise a review under another id: "Great!" may be by two people. */
export function isRecognizable({ author_name: author, text }: Pick<ReviewInput, 'author_name' | 'text'>): boolean {
  return author !== ANONYMOUS && text.length >= LEAST_LENGTH
}
