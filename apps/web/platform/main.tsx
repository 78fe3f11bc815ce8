import { startApp } from '#ui/start.tsx'
import { createPlatformRouter } from './router.tsx'

void startApp({
  router: createPlatformRouter,
  messages: async (language) => {
    if (language === 'ro') {
      const [ui, own] = await Promise.all([import('#ui/messages/ro.ts'), import('./messages/ro.ts')])
      return { ui: ui.uiRo, platform: own.platformRo }
    }
    const [ui, own] = await Promise.all([import('#ui/messages/en.ts'), import('./messages/en.ts')])
    return { ui: ui.uiEn, platform: own.platformEn }
  },
})
