import { startApp } from '#ui/start.tsx'
import { forgetOthers, forgetToday, keptToday } from './offline/kept-today.ts'
import { registerServiceWorker } from './offline/register.ts'
import { createPortalRouter } from './router.tsx'

void startApp({
  forget: forgetToday,
  offlineMe: async () => (await keptToday())?.me,
  onStart: (me) => {
    void forgetOthers(me)
    void registerServiceWorker()
  },
  router: createPortalRouter,
  messages: async (language) => {
    if (language === 'ro') {
      const [ui, own] = await Promise.all([import('#ui/messages/ro.ts'), import('./messages/ro.ts')])
      return { ui: ui.uiRo, portal: own.portalRo }
    }
    const [ui, own] = await Promise.all([import('#ui/messages/en.ts'), import('./messages/en.ts')])
    return { ui: ui.uiEn, portal: own.portalEn }
  },
})
