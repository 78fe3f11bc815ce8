import { startApp } from '#ui/start.tsx'
import { createConsoleRouter } from './router.tsx'

void startApp({
  router: createConsoleRouter,
  messages: async (language) => {
    if (language === 'ro') {
      const [ui, own] = await Promise.all([import('#ui/messages/ro.ts'), import('./messages/ro.ts')])
      return { ui: ui.uiRo, console: own.consoleRo }
    }
    const [ui, own] = await Promise.all([import('#ui/messages/en.ts'), import('./messages/en.ts')])
    return { ui: ui.uiEn, console: own.consoleEn }
  },
})
