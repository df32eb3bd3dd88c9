import { VisibilityCommand } from '../../cli/reviews/visibility-command.ts'

export default class ReviewsHide extends VisibilityCommand {
  static override description = 'Hides reviews: they never appear in query results until they are unhidden.'
  protected readonly hidden = true
  protected readonly done = 'Hidden'
}
