import type { consoleEn } from '../../console/messages/en.ts'
import type { platformEn } from '../../platform/messages/en.ts'
import type { portalEn } from '../../portal/messages/en.ts'
import type { uiEn } from '../messages/en.ts'

/** Every text has a path that starts with its owner: `ui.…` everywhere, `portal.…` in the portal only. */
export interface Messages {
  ui: typeof uiEn
  console: typeof consoleEn
  portal: typeof portalEn
  platform: typeof platformEn
}

declare module 'use-intl' {
  interface AppConfig {
    Locale: 'en-GB' | 'ro-RO'
    Messages: Messages
  }
}
