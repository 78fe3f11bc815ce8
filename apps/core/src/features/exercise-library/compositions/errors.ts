import { refusal } from '@tendon/http'

export const composerUnavailable = refusal(
  503,
  'composer_unavailable',
  'The composer does not answer. Start it (apps/composer), check COMPOSER_URL, and try again.',
)
export const bundleFileTooLarge = refusal(
  413,
  'file_too_large',
  'The file is larger than {max_file_size} bytes. Send a smaller one.',
  { max_file_size: 524_288_000 },
)
