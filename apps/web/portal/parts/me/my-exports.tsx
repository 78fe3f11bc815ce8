import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { MyExport } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { WorkProgress } from '#ui/feedback/work-progress.tsx'
import { Instant } from '#ui/format/time.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { IconDownload } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'

const WATCH_MS = 3_000

const isUnderWay = ({ status }: MyExport) => status === 'accepted' || status === 'active'

/** Exports of the person's data at the clinic, created in the background. */
export function MyExports() {
  const t = useTranslations('portal.data')
  const { id: clinicId, name } = useClinic()
  const exports = useWholeList('GET /v1/me/exports', { query: { sort: '-created_at' } }, { refreshEvery: WATCH_MS })
  const ask = useWrite('POST /v1/me/export', { refresh: ['/v1/me/exports'] })
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{t('copy')}</Title>
      <Text>{t('copyText', { clinic: name })}</Text>
      <Loaded query={exports}>
        {({ items }) => {
          const data = items.filter(({ organization_id }) => organization_id === clinicId)
          return (
            <>
              {data.map((one) => (
                <OneExport key={one.id} export={one} />
              ))}
              <Problem error={ask.error} />
              {!data.some(isUnderWay) && (
                <Button size="md" w="fit-content" loading={ask.isPending} onClick={() => ask.mutate({})}>
                  {t('ask')}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}

function OneExport({ export: one }: { export: MyExport }) {
  const t = useTranslations('portal.data')
  // The link expires after minutes, so request it on click.
  const get = useWrite('GET /v1/me/exports/{id}', {
    onDone: ({ data: { download_url } }) => {
      if (download_url !== null) location.assign(download_url)
    },
  })
  const now = useNow()
  const isKept = one.status === 'completed' && one.expires_at !== null && Date.parse(one.expires_at) > now
  if (isUnderWay(one)) return <WorkProgress label={t('working')} done={one.progress / 100} />
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Text>
            {isKept ? t('ready') : t('failed')}, <Instant value={one.created_at} />
          </Text>
          {isKept && one.expires_at !== null && (
            <Text size="sm" c="dimmed">
              {t('until')} <Instant value={one.expires_at} />
            </Text>
          )}
        </div>
        {isKept && (
          <Button
            size="md"
            leftSection={<IconDownload size={20} />}
            loading={get.isPending}
            onClick={() => get.mutate({ params: { id: one.id } })}
          >
            {t('download')}
          </Button>
        )}
      </Group>
      <Problem error={get.error} />
    </Paper>
  )
}
