import { VisibilityCommand } from '../../cli/reviews/visibility-command.ts'

export default class ReviewsHide extends VisibilityCommand {
  static override description = 'Hides reviews: they do not appear in query results until you unhide them.'
  protected readonly hidden = true
  protected readonly done = 'Hidden'
}
