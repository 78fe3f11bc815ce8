import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { apps, WEB_ROOT } from './build/apps.ts'
import { posePlugin } from './build/pose-files.ts'

/** Vite's server at `url`, in front of the core API at `coreUrl`. Pages are reloaded as their sources change. */
export async function serveWeb(url: URL, coreUrl: string): Promise<() => Promise<void>> {
  const toCore = { target: coreUrl, changeOrigin: false }
  const server = await createServer({
    configFile: false,
    root: WEB_ROOT,
    appType: 'custom',
    publicDir: false,
    logLevel: 'warn',
    clearScreen: false,
    plugins: [react(), appPages(), posePlugin()],
    server: {
      host: url.hostname,
      port: Number(url.port),
      strictPort: true,
      fs: { allow: [join(WEB_ROOT, '../..')] },
      proxy: { '^/(v1|auth|docs|health|dev|oauth)(/|$|\\?)': toCore },
    },
  })
  await server.listen()
  return () => server.close()
}

/** Every path of an app that is no file is its index.html. */
function appPages(): Plugin {
  return {
    name: 'app-pages',
    configureServer(server) {
      return () => {
        server.middlewares.use((request, response, next) => {
          const path = (request.originalUrl ?? '/').split('?', 1)[0] ?? '/'
          const app = apps.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`))
          if (!app || /\.\w+$/.test(path)) return next()
          readFile(join(WEB_ROOT, app.name, 'index.html'), 'utf8')
            // A page's URL may have several segments, so its files are named with absolute paths.
            .then((html) => html.replaceAll('"./', `"/${app.name}/`).replaceAll('"../', '"/'))
            .then((html) => server.transformIndexHtml(`/${app.name}/index.html`, html))
            .then((html) => response.setHeader('content-type', 'text/html').end(html))
            .catch(next)
        })
      }
    },
  }
}
