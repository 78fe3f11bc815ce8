import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { WEB_ROOT } from './apps.ts'

/** One app, built into `outDir`. Nothing is inlined: the content security policy allows files of our own only. */
export const buildConfig = (app: string, outDir: string): InlineConfig => ({
  configFile: false,
  root: join(WEB_ROOT, app),
  base: `/${app}/`,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react()],
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2023',
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
})
