import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import type { Me } from '@tendon/sdk'
import { type ReactNode, StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { api, isApiError, tab } from './api/client.ts'
import { paletteOf, shadeLike, useBrandColor } from './brand.ts'
import { Toasts } from './feedback/toasts.tsx'
import { I18n, type LoadMessages } from './i18n/i18n.tsx'
import { type Language, startLanguage } from './i18n/language.ts'
import { clinicsOf } from './session/clinics.ts'
import { ConsentGate } from './session/consent-gate.tsx'
import { takeFirstReads } from './session/first-reads.ts'
import { embeddedMe, meOptions } from './session/me.ts'
import { SignInGate } from './session/sign-in-gate.tsx'
import { CHOSEN_DARK, cssVariables, theme } from './theme.ts'
import { installTrustedTypes } from './trusted-types.ts'

export interface AppContext {
  queryClient: QueryClient
  /** null: nobody is signed in. */
  me: Me | null
}

export interface AppStart {
  app: typeof tab.app
  messages: LoadMessages
  router: (context: AppContext) => AnyRouter
  /** Who was signed in at the last connection. */
  offlineMe?: () => Promise<Me | undefined>
  /** Called with the signed-in person, once the server has confirmed it. */
  onStart?: (me: Me | null) => void
}

/** Starts one of the three apps: texts and the signed-in person first, then the page. */
export async function startApp({ app, messages, router, offlineMe, onStart }: AppStart): Promise<void> {
  installTrustedTypes()
  tab.app = app
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
  Object.assign(globalThis, { __webpack_nonce__: nonce })
  const language = startLanguage()
  document.documentElement.lang = language
  const queryClient = new QueryClient({
    // Without a connection a request fails at once, so that the page can show it.
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  const [loaded, me] = await Promise.all([messages(language), whoIsSignedIn(queryClient, offlineMe)])
  if (!(app === 'portal' && me && (await keepLanguage(me, language)))) takeFirstReads(queryClient, me)
  if (embeddedMe() !== 'offline') onStart?.(me)
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <Themed nonce={nonce}>
        <QueryClientProvider client={queryClient}>
          <I18n start={{ language, messages: loaded }} load={messages}>
            <RouterProvider router={router({ queryClient, me })} />
            <SignInGate me={me} />
            {me && <ConsentGate />}
            <Toasts />
          </I18n>
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  )
}

/**
 * Saves the language that was chosen before the first sign-in, so that texts of the API and mails have it too. True: it was
 * saved now, and what came with the page has another language.
 */
async function keepLanguage(me: Me, language: Language): Promise<boolean> {
  if (me.preferred_language !== null || me.language === language) return false
  return api('PATCH /v1/me', { body: { preferred_language: language } }).then(
    () => true,
    () => false,
  )
}

/** The theme, in the clinic's colour if it has one. */
function Themed({ nonce, children }: { nonce: string; children: ReactNode }) {
  const brand = useBrandColor()
  const branded = useMemo(
    () =>
      brand === null
        ? theme
        : { ...theme, colors: { tendon: paletteOf(brand) }, other: { chosenDark: shadeLike(brand, CHOSEN_DARK) } },
    [brand],
  )
  return (
    <MantineProvider
      theme={branded}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  )
}

async function whoIsSignedIn(queryClient: QueryClient, offlineMe: AppStart['offlineMe']): Promise<Me | null> {
  const embedded = embeddedMe()
  if (embedded === 'offline') {
    const me = (await offlineMe?.()) ?? null
    for (const clinic of me ? clinicsOf(me) : []) queryClient.setQueryData(meOptions(clinic.id).queryKey, me as Me)
    return me
  }
  if (embedded) queryClient.setQueryData(meOptions(embedded.current_organization?.id).queryKey, embedded)
  if (embedded !== undefined) return embedded
  // Vite's server does not know who is signed in.
  return queryClient.fetchQuery(meOptions(undefined)).catch((error: unknown) => {
    if (isApiError(error) && (error.status === 401 || error.status === 403)) return null
    throw error
  })
}
