import { VisibilityCommand } from '../../cli/reviews/visibility-command.ts'

export default class ReviewsUnhide extends VisibilityCommand {
  static override description = 'Shows hidden reviews again: they may appear in query results again.'
  protected readonly hidden = false
  protected readonly done = 'Visible again'
}
