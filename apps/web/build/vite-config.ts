import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { WEB_ROOT } from './apps.ts'
import { chunkGroups } from './chunks.ts'

const inApp = (app: string) => (file: string) => join(WEB_ROOT, app, file)

/** One app, built into `outDir`. Nothing is inlined: the content security policy allows files of our own only. */
export const buildConfig = (app: string, outDir: string, build: string): InlineConfig => ({
  configFile: false,
  root: join(WEB_ROOT, app),
  base: `/${app}/`,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react()],
  define: { __BUILD__: JSON.stringify(build.slice(0, 16)) },
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2023',
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    // A service worker controls the pages below its own URL, so its file is at the app's root, with a fixed name.
    rolldownOptions: {
      input: app === 'portal' ? ['index.html', 'offline/service-worker.ts'].map(inApp(app)) : inApp(app)('index.html'),
      output: {
        codeSplitting: { groups: chunkGroups(app) },
        entryFileNames: ({ name }) => (name === 'service-worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: { format: 'es' },
})
