import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { WebSession } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { Ago } from '#ui/format/time.tsx'
import { tellOtherTabs } from '#ui/session/sign-in.ts'

/** The devices on which the person is signed in. */
export function Devices() {
  const t = useTranslations('portal.me')
  const sessions = useRead('GET /v1/me/sessions')
  const [asking, setAsking] = useState(false)
  const endAll = useWrite('DELETE /v1/me/sessions', {
    onDone: () => {
      tellOtherTabs('signed-out')
      location.assign('/portal/')
    },
  })
  return (
    <Stack component="section">
      <Title order={2}>{t('devices')}</Title>
      <Loaded query={sessions}>
        {({ data }) => (
          <Stack gap="sm">
            {data.map((session) => (
              <Device key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </Loaded>
      <Button variant="default" size="md" w="fit-content" onClick={() => setAsking(true)}>
        {t('endAll')}
      </Button>
      <Confirm
        open={asking}
        title={t('endAll')}
        text={t('endAllText')}
        action={t('endAll')}
        pending={endAll.isPending}
        error={endAll.error}
        onConfirm={() => endAll.mutate({})}
        onClose={() => setAsking(false)}
      />
    </Stack>
  )
}

function Device({ session }: { session: WebSession }) {
  const t = useTranslations('portal.me')
  const end = useWrite('DELETE /v1/me/sessions/{id}', {
    refresh: ['/v1/me/sessions'],
    onDone: () => toast({ text: t('ended') }),
  })
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Text fw={650}>
            {t(`apps.${session.app}`)} · {browserOf(session.user_agent)}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {session.ip} · {t('seen')} <Ago value={session.seen_at} />
          </Text>
        </div>
        {session.current ? (
          <Badge>{t('current')}</Badge>
        ) : (
          <Button
            variant="default"
            size="md"
            loading={end.isPending}
            onClick={() => end.mutate({ params: { id: session.id } })}
          >
            {t('end')}
          </Button>
        )}
      </Group>
      <Problem error={end.error} />
    </Paper>
  )
}

/** A short name that distinguishes the person's devices. */
function browserOf(agent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//
    .exec(agent ?? '')?.[1]
    ?.replace('Edg', 'Edge')
    .replace('OPR', 'Opera')
  const system = /(Android|iPhone|iPad|Windows|Mac OS|Linux)/.exec(agent ?? '')?.[1]
  return [browser, system].filter((part) => part !== undefined).join(', ') || '?'
}
