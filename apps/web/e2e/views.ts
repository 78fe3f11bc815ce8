import type { Page } from 'playwright-core'
import type { View } from './browser.ts'

/** Both languages, both colour schemes and the three widths, in the fewest combinations. */
export const VIEWS = [
  { language: 'en', scheme: 'light', width: 360 },
  { language: 'ro', scheme: 'dark', width: 360 },
  { language: 'ro', scheme: 'light', width: 768 },
  { language: 'en', scheme: 'dark', width: 1440 },
] as const satisfies readonly View[]

export interface TestView {
  language: 'en' | 'ro'
  scheme: 'light' | 'dark'
  width: number
}

/** Every combination, for screenshots. */
export const ALL_VIEWS: readonly TestView[] = (['en', 'ro'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) => [360, 768, 1440].map((width) => ({ language, scheme, width }))),
)

export const nameOf = ({ language, scheme, width }: TestView): string => `${language}, ${scheme}, ${width}`

/** With PICTURES=<folder>, saves a screenshot. */
export async function picture(page: Page, name: string, { language, scheme, width }: TestView): Promise<void> {
  const folder = process.env.PICTURES
  if (folder)
    await page.screenshot({ path: `${folder}/${name}-${language}-${scheme}-${width}.png`, fullPage: width < 500 })
}
