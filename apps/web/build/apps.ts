import { join } from 'node:path'

export const WEB_ROOT = join(import.meta.dirname, '..')

export interface WebApp {
  name: 'console' | 'portal' | 'platform'
  /** Bytes, gzip, of everything that the first page needs: scripts, styles, the texts of one language. */
  budget: number
  /** Beside the entry, what the first page loads. */
  firstPage: string
}

export const apps: readonly WebApp[] = [
  { name: 'console', budget: 300_000, firstPage: 'routes/today/today-page.tsx' },
  { name: 'portal', budget: 230_000, firstPage: 'routes/today/today-page.tsx' },
  { name: 'platform', budget: 300_000, firstPage: 'routes/organizations/organizations-page.tsx' },
]
