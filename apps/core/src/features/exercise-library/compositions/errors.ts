import { refusal } from '@tendon/http'

export const composerUnavailable = refusal(
  503,
  'composer_unavailable',
  'The composer does not answer. Start it (apps/composer), check COMPOSER_URL, and try again.',
)
