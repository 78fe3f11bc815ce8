import type { WebApp } from './apps.ts'

/** A read whose response is written into the page. `{slug}` is the clinic of the URL. */
export interface FirstRead {
  route: `GET ${string}`
  params?: Record<string, string>
  query?: Record<string, string | number>
}

export interface FirstPage {
  /** The module of the page. */
  file: string
  /** Also for visitors; other pages show them the sign-in page. */
  isPublic?: true
  reads: readonly FirstRead[]
}

export interface FirstPages {
  /** On every page of a clinic. */
  always: readonly FirstRead[]
  /** By the path after the clinic's slug. Pages that are not listed here load their file and data themselves. */
  pages: Readonly<Record<string, FirstPage>>
}

const slug = '{slug}'

/** Must equal the requests of the pages; otherwise the response is not used, and speed.browser.ts fails. */
export const firstPages: Readonly<Partial<Record<WebApp['name'], FirstPages>>> = {
  portal: {
    always: [{ route: 'GET /v1/public/organizations/{slug}/branding', params: { slug } }],
    pages: {
      '': {
        file: 'routes/today/today-page.tsx',
        reads: [{ route: 'GET /v1/me/today' }, { route: 'GET /v1/public/services', query: { organization: slug } }],
      },
      visits: {
        file: 'routes/visits/visits-page.tsx',
        reads: [
          { route: 'GET /v1/me/appointments', query: { sort: '-starts_at', limit: 100 } },
          { route: 'GET /v1/me/bookings' },
          { route: 'GET /v1/public/services', query: { organization: slug } },
        ],
      },
      'visits/new': {
        file: 'routes/visits/new-visit-page.tsx',
        reads: [{ route: 'GET /v1/public/services', query: { organization: slug } }],
      },
      forms: {
        file: 'routes/forms/forms-page.tsx',
        reads: [{ route: 'GET /v1/forms', query: { sort: '-created_at', limit: 100 } }],
      },
      progress: { file: 'routes/progress/progress-page.tsx', reads: [] },
      me: { file: 'routes/me/me-page.tsx', reads: [{ route: 'GET /v1/me/sessions' }] },
      'me/consents': { file: 'routes/me/consents-page.tsx', reads: [{ route: 'GET /v1/me/consents' }] },
      book: {
        file: 'routes/book/book-page.tsx',
        isPublic: true,
        reads: [{ route: 'GET /v1/public/services', query: { organization: slug } }],
      },
    },
  },
}
