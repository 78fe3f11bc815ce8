import { refusal } from '@tendon/http'

export const windowTooLong = refusal(
  422,
  'window_too_long',
  'The window is longer than 31 days or ends before it starts. Ask for a shorter one.',
)
