// Puts the pictures of a folder together, one sheet per page, for people to look at:
//   PICTURES=<folder> npm run test:web -- apps/web/e2e/portal-pages.browser.ts
//   node scripts/bootstrap.mjs apps/web/e2e/contact-sheets.ts <folder>
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const [folder = 'pictures'] = process.argv.slice(2)
const HEIGHT = 620
const GAP = 12
const NAME = /^(.+)-(360|768|1440)-(en|ro)-(light|dark)\.png$/

const pages = Map.groupBy(
  readdirSync(folder).filter((file) => NAME.test(file)),
  (file) => NAME.exec(file)?.[1] ?? '',
)
for (const [name, files] of pages) {
  const rows = Map.groupBy(files.sort(), (file) => NAME.exec(file)?.[2] ?? '')
  const parts: { input: Buffer; left: number; top: number }[] = []
  let [width, top] = [0, GAP]
  for (const row of rows.values()) {
    let left = GAP
    for (const file of row) {
      const { data, info } = await sharp(join(folder, file))
        .resize({ height: HEIGHT })
        .toBuffer({ resolveWithObject: true })
      parts.push({ input: data, left, top })
      left += info.width + GAP
    }
    width = Math.max(width, left)
    top += HEIGHT + GAP
  }
  await sharp({ create: { width, height: top, channels: 3, background: '#888' } })
    .composite(parts)
    .png({ palette: true })
    .toFile(join(folder, `sheet-${name}.png`))
}
