import type { createConsoleRouter } from './router.tsx'

// Links, parameters and searches of this app are typed by its routes. One `Register` per program, so one program per app.
declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
