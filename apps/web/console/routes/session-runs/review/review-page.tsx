import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { PoseConfig, RunTimeline } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { api, isApiError } from '#ui/api/client.ts'
import { useRead } from '#ui/api/hooks.ts'
import { inClinic } from '#ui/api/queries.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Instant } from '#ui/format/time.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { loadReplay } from '../../../parts/session-runs/review/replay.ts'
import { ReviewSummary } from '../../../parts/session-runs/review/review-summary.tsx'
import { ReviewView } from '../../../parts/session-runs/review/review-view.tsx'

/** The review of one run. */
export function ReviewPage() {
  const t = useTranslations('console.review')
  const { runId } = useParams({ from: '/$clinic/session-runs/$runId' })
  const { slug } = useClinic()
  const timeline = useRead(
    'GET /v1/session-runs/{runId}/timeline',
    { params: { runId } },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  const run = timeline.data?.data
  return (
    <Page title={run?.patient.name ?? t('title')} documentTitle={t('title')}>
      {run && (
        <Text component="div" c="dimmed">
          {run.session_start_at && (
            <>
              <Instant value={run.session_start_at} />
              {' · '}
            </>
          )}
          <TextLink to="/$clinic/patients/$id/sessions" params={{ clinic: slug, id: run.patient.id }}>
            {t('allSessions')}
          </TextLink>
        </Text>
      )}
      <Loaded query={timeline}>{({ data }) => <WithReplay timeline={data} />}</Loaded>
      <ReviewSummary runId={runId} />
    </Page>
  )
}

function WithReplay({ timeline }: { timeline: RunTimeline }) {
  const { id: organization } = useClinic()
  const { run_id, replay_available } = timeline
  const keep = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false }
  const replay = useQuery({
    queryKey: [organization, 'replay', run_id],
    queryFn: async ({ signal }) => {
      const { data } = await api('GET /v1/session-runs/{runId}/replay', {
        params: { runId: run_id },
        ...inClinic(organization),
        signal,
      })
      return loadReplay(data.url, signal)
    },
    enabled: replay_available,
    ...keep,
  })
  const configs = useQuery({
    queryKey: [organization, 'pose-configs', run_id],
    queryFn: () => loadConfigs(organization, timeline),
    enabled: replay_available,
    ...keep,
  })
  return (
    <ReviewView
      timeline={timeline}
      replay={replay.data}
      replayState={!replay_available ? 'none' : replay.isError ? 'failed' : replay.data ? 'ready' : 'loading'}
      configs={configs.data ?? NO_CONFIGS}
    />
  )
}

const NO_CONFIGS: ReadonlyMap<string, PoseConfig> = new Map()

/** By exercise; deleted exercises have none. */
async function loadConfigs(organization: string, { exercises }: RunTimeline): Promise<Map<string, PoseConfig>> {
  const ids = [...new Set(exercises.map(({ exercise_id }) => exercise_id))]
  const found = await Promise.all(
    ids.map((id) =>
      api('GET /v1/exercises/{id}/pose-config', { params: { id }, ...inClinic(organization) }).catch(
        (error: unknown) => {
          if (isApiError(error)) return undefined
          throw error
        },
      ),
    ),
  )
  return new Map(found.flatMap((one, index) => (one ? [[ids[index] ?? '', one.data.config] as const] : [])))
}
