import { VisibilityCommand } from '../../cli/reviews/visibility-command.ts'

export default class ReviewsUnhide extends VisibilityCommand {
  static override description = 'Unhides reviews: they can appear in query results again.'
  protected readonly hidden = false
  protected readonly done = 'Visible again'
}
