import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ApiError, RunPayload } from '@tendon/sdk'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#ui/api/client.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMe } from '#ui/session/me.ts'
import { flushOutbox, openOutbox } from '../../parts/session-runs/run/flush-outbox.ts'
import type { Outbox } from '../../parts/session-runs/run/outbox.ts'
import { knownOf } from '../../parts/session-runs/run/player-state.ts'
import { createProgressStore } from '../../parts/session-runs/run/progress-store.ts'
import { type LoadedRun, openSession, type Session } from '../../parts/session-runs/run/session.ts'
import { withUnsent } from '../../parts/session-runs/run/unsent.ts'
import { Elsewhere } from '../../parts/session-runs/view/elsewhere.tsx'
import { PlayerView } from '../../parts/session-runs/view/player-view.tsx'
import { SessionSummary } from '../../parts/session-runs/view/session-summary.tsx'
import { useCueWords } from '../../parts/session-runs/view/use-cue-words.ts'
import { useOnlyTab } from '../../parts/session-runs/view/use-only-tab.ts'

/** One run of a session: the player, or the summary of a run that ended. */
export function PlayerPage() {
  const { runId } = useParams({ from: '/$clinic/session-runs/$runId' })
  const { place, turn, takeOver } = useOnlyTab(`tendon-run-${runId}`)
  const run = useLoadedRun(runId, turn, place !== 'asking')
  return (
    <Loaded query={run}>
      {(loaded) => {
        const { payload } = loaded
        if (payload.status !== 'in_progress') return <EndedRun key={payload.run_id} loaded={loaded} />
        if (place !== 'here') return <Elsewhere payload={payload} onTakeOver={takeOver} />
        return <OpenSession key={`${payload.run_id} ${turn}`} loaded={loaded} />
      }}
    </Loaded>
  )
}

/**
 * First sends the unsent reports of an earlier tab, because they determine where the session resumes. Those that cannot be
 * sent yet are added to what the server knows. `turn`: what another tab did meanwhile is read again.
 */
function useLoadedRun(runId: string, turn: number, enabled: boolean) {
  const { id: organization } = useClinic()
  const { principal_id: person } = useMe()
  return useQuery<LoadedRun, ApiError>({
    queryKey: [organization, 'player', runId, turn],
    enabled,
    queryFn: async () => {
      const stored = await flushOutbox(person)
      const route = 'GET /v1/session-runs/{runId}/payload'
      const response = await api.response(route, { params: { runId }, headers: { 'x-organization-id': organization } })
      const received = Date.now()
      const { data } = (await response.json()) as { data: RunPayload }
      return {
        payload: withUnsent(data, stored),
        answered_at: response.headers.get('date'),
        received,
        stored,
        progress: await createProgressStore(runId, person).read(),
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

/** The summary of a run that ended earlier. What waits is sent from here. */
function EndedRun({ loaded: { payload, stored } }: { loaded: LoadedRun }) {
  const { principal_id: person } = useMe()
  const [outbox, setOutbox] = useState<Outbox>()
  useEffect(() => {
    const opened = openOutbox(person, stored)
    // oxlint-disable-next-line react/set-state-in-effect -- the outbox has timers, which start and stop with the page
    setOutbox(opened)
    return () => opened.close()
  }, [person, stored])
  return outbox ? <SessionSummary payload={payload} outbox={outbox} known={knownOf(payload)} /> : null
}

function OpenSession({ loaded }: { loaded: LoadedRun }) {
  const { id: organization } = useClinic()
  const { principal_id: person } = useMe()
  const { language } = useLanguage()
  // A ref: another language must not open the session again.
  const spoken = useRef(language)
  useEffect(() => {
    spoken.current = language
  }, [language])
  const wordsOf = useCueWords()
  const [session, setSession] = useState<Session>()
  useEffect(() => {
    const opened = openSession({
      ...loaded,
      organization,
      person,
      language: () => spoken.current,
      wordsOf: (cue) => wordsOf.current(cue),
    })
    // oxlint-disable-next-line react/set-state-in-effect -- the session has timers and a camera, which start and stop with the page
    setSession(opened)
    return () => opened.close()
  }, [loaded, organization, person, wordsOf])
  const t = useTranslations('portal.run')
  useEffect(() => {
    document.title = `${t('title')} · Tendon`
  }, [t])
  return session ? <PlayerView session={session} /> : null
}
