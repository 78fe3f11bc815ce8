import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

// Components in `node:test`, without a browser: .tsx files are compiled when they are imported, style sheets are empty.

registerHooks({
  load(url, context, next) {
    const path = url.split('?')[0] ?? ''
    if (path.endsWith('.css')) return { format: 'module', source: 'export default {}', shortCircuit: true }
    if (!path.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(path)
    const { code } = transformSync(file, readFileSync(file, 'utf8'), { jsx: { runtime: 'automatic' } })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
