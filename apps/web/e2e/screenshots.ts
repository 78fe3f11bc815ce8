// Pictures of pages for people to look at: node scripts/bootstrap.mjs apps/web/e2e/screenshots.ts <folder> [url of a running npm start]
// Every page of the list, in both languages, light and dark, 360 and 1440 wide. Signs in as the demo people.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { launch, newContext } from './browser.ts'

interface Shot {
  name: string
  app: 'console' | 'portal' | 'platform'
  as?: string
  path: string
}

const CLINIC = 'mladita'
const SPECIALIST = 'andrei.popescu@mladita.example'
const PATIENT = 'elena.dobre@mail.example'
const OPERATOR = 'operator@tendon.example'

const shots: readonly Shot[] = [
  { name: 'sign-in', app: 'portal', path: CLINIC },
  { name: 'today', app: 'portal', as: PATIENT, path: CLINIC },
  { name: 'today', app: 'console', as: SPECIALIST, path: CLINIC },
  { name: 'organizations', app: 'platform', as: OPERATOR, path: '' },
]

const [folder = 'screenshots', base = 'http://127.0.0.1:3000', ...more] = process.argv.slice(2)
// Further pages as app:path, such as console:mladita/patients
const extra = more.map((spec): Shot => {
  const [app = 'portal', path = ''] = spec.split(':')
  const as = { console: SPECIALIST, portal: PATIENT, platform: OPERATOR }[app] ?? PATIENT
  return { name: path.replaceAll(/\W+/g, '-'), app: app as Shot['app'], as, path }
})

await mkdir(folder, { recursive: true })
const browser = await launch()
for (const language of ['en', 'ro'] as const)
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [360, 1440])
      for (const { name, app, as, path } of extra.length > 0 ? extra : shots) {
        const context = await newContext(browser, { language, scheme, width, height: width === 360 ? 740 : 900 })
        await context.addCookies([{ name: 'language', value: language, url: base }])
        const page = await context.newPage()
        if (as === undefined) await page.goto(`${base}/${app}/${path}`)
        else {
          const query = new URLSearchParams({ app, to: `/${app}/${path}` })
          await page.goto(`${base}/auth/sign-in?${query.toString()}`)
          await page.locator('#email').fill(as)
          await page.locator('button.main').click()
        }
        await page.locator('h1').first().waitFor()
        await page.waitForLoadState('networkidle')
        await page.screenshot({
          path: join(folder, `${app}-${name}-${language}-${scheme}-${width}.png`),
          fullPage: true,
        })
        await context.close()
      }
await browser.close()
