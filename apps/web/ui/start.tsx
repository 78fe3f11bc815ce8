import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import type { Me } from '@tendon/sdk'
import { type ReactNode, StrictMode, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { api, isApiError } from './api/client.ts'
import { paletteOf, SetBrand, shadeLike } from './brand.ts'
import { LeaveQuestion } from './feedback/leave-question.tsx'
import { Toasts } from './feedback/toasts.tsx'
import { watchTyping } from './field-form/typed.ts'
import { focusHeadings } from './frame/focus-heading.ts'
import { useIsPrinting } from './frame/use-is-printing.ts'
import { I18n, type LoadMessages } from './i18n/i18n.tsx'
import { startLanguage, takeChosenLanguage } from './i18n/language.ts'
import { createLastList, LastListContext } from './record/list-neighbours.ts'
import { clinicsOf } from './session/clinics.ts'
import { ConsentGate } from './session/consent-gate.tsx'
import { takeFirstReads } from './session/first-reads.ts'
import { Invited, takeInvitation } from './session/invitation.ts'
import { embeddedMe, meOptions } from './session/me.ts'
import { Forget } from './session/sign-in.ts'
import { SignInGate } from './session/sign-in-gate.tsx'
import { CHOSEN_DARK, cssVariables, theme } from './theme.ts'
import { installTrustedTypes } from './trusted-types.ts'

export interface AppContext {
  queryClient: QueryClient
  /** null: nobody is signed in. */
  me: Me | null
}

export interface AppStart {
  messages: LoadMessages
  router: (context: AppContext) => AnyRouter
  /** Who was signed in at the last connection. */
  offlineMe?: () => Promise<Me | undefined>
  /** Removes what the app has saved on the device, before the person signs out. */
  forget?: () => Promise<unknown>
  /** Called with the signed-in person, once the server has confirmed it. */
  onStart?: (me: Me | null) => void
}

/** Starts one of the three apps: texts and the signed-in person first, then the page. */
export async function startApp({ messages, router, offlineMe, forget, onStart }: AppStart): Promise<void> {
  installTrustedTypes()
  watchTyping()
  const invitation = takeInvitation()
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
  Object.assign(globalThis, { __webpack_nonce__: nonce })
  // The library assumes a connection, and would miss that one comes.
  onlineManager.setOnline(navigator.onLine)
  const queryClient = new QueryClient({
    // Without a connection a request fails at once, so that the page can show it.
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  const found = await whoIsSignedIn(queryClient, offlineMe)
  const me = found && (await withChosenLanguage(queryClient, found))
  const language = me?.language ?? invitation.language ?? startLanguage()
  document.documentElement.lang = language
  const loaded = await messages(language)
  // What came with the page is in the language of the account before the choice.
  if (me?.language === found?.language) takeFirstReads(queryClient, me)
  if (embeddedMe() !== 'offline') onStart?.(me)
  const pages = router({ queryClient, me })
  focusHeadings(pages)
  const lastList = createLastList()
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no element for the app')
  createRoot(root).render(
    <StrictMode>
      <Themed nonce={nonce}>
        <QueryClientProvider client={queryClient}>
          <I18n start={{ language, messages: loaded }} load={messages}>
            <Invited value={invitation.email}>
              <Forget value={forget}>
                <LastListContext value={lastList}>
                  <RouterProvider router={pages} />
                </LastListContext>
              </Forget>
            </Invited>
            <LeaveQuestion />
            <SignInGate me={me} />
            {me && <ConsentGate />}
            <Toasts />
          </I18n>
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  )
}

/** Saves a language that was chosen on the sign-in page, unless the account has one. */
async function withChosenLanguage(queryClient: QueryClient, me: Me): Promise<Me> {
  const chosen = takeChosenLanguage()
  if (chosen === undefined || me.preferred_language !== null) return me
  const changed = await api('PATCH /v1/me', { body: { preferred_language: chosen } }).catch(() => undefined)
  if (!changed) return me
  const next = { ...me, preferred_language: chosen, language: chosen }
  queryClient.setQueryData(meOptions(me.current_organization?.id).queryKey, next)
  return next
}

/** The theme, in the clinic's colour if it has one. */
function Themed({ nonce, children }: { nonce: string; children: ReactNode }) {
  const [brand, setBrand] = useState<string | null>(null)
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
      {...(useIsPrinting() ? { forceColorScheme: 'light' as const } : {})}
      getStyleNonce={() => nonce}
    >
      <SetBrand value={setBrand}>{children}</SetBrand>
    </MantineProvider>
  )
}

async function whoIsSignedIn(queryClient: QueryClient, offlineMe: AppStart['offlineMe']): Promise<Me | null> {
  const embedded = embeddedMe()
  if (embedded === 'offline') {
    const me = (await offlineMe?.()) ?? null
    if (me) for (const clinic of clinicsOf(me)) queryClient.setQueryData(meOptions(clinic.id).queryKey, me)
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
