// `npm run build`: the three web apps, into WEB_DIR. With --local: compressed less, as `npm start` does.
import { readConfig } from '@tendon/config'
import { buildWeb } from '../apps/web/build.ts'

const { WEB_DIR } = readConfig(process.env)
const built = await buildWeb(WEB_DIR, process.argv.includes('--local') ? 'local' : 'release')
for (const line of built) console.log(line)
if (built.length === 0) console.log('Nothing has changed since the last build.')
