import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { hasTyped } from '../field-form/typed.ts'
import { useLanguage } from '../i18n/i18n.tsx'
import { IconAlertCircle, IconWifiOff } from '../icons/index.ts'

/** After these the same page continues, so what was typed is named where there is any. */
const isContinued = ({ status, code }: ApiError) => status === 0 || code === 'hold_expired'

/** A refusal in the person's language, with what to do next. */
export function useRefusalText(): (error: ApiError) => string {
  const t = useTranslations('ui')
  const textOf = useReason()
  return (error) => [textOf(error), ...(isContinued(error) && hasTyped() ? [t('problem.kept')] : [])].join(' ')
}

/** The API's English where there is no translation yet. */
function useReason(): (error: ApiError) => string {
  const t = useTranslations('ui')
  const isEnglish = useLanguage().language === 'en'
  return (error) => {
    const { status = error.values.from ?? '' } = error.values
    if (error.status === 0) return t('problem.network')
    if (error.status === 403 && error.required !== undefined)
      return t('problem.permission', { permission: permissionName(t, error.required) })
    for (const code of [error.code, ...(error.code.endsWith('_not_found') ? ['not_found'] : [])]) {
      const key = `refusals.${code}` as 'refusals.not_found'
      if (t.has(key)) return t(key, { ...error.values, status, place: error.values.field?.replaceAll('.', '_') ?? '' })
    }
    if (error.status === 429) return t('problem.busy')
    if (error.status >= 500) return t('problem.server')
    return isEnglish ? error.message : t('problem.refused')
  }
}

/** "You need the permission …", with the permission in words. */
export function usePermissionText(): (code: string) => string {
  const t = useTranslations('ui')
  return (code) => t('problem.permission', { permission: permissionName(t, code) })
}

function permissionName(t: ReturnType<typeof useTranslations<'ui'>>, code: string): string {
  const key = `permissions.${code.replaceAll('.', '_')}` as 'permissions.patients_view_org'
  return t.has(key) ? t(key) : code
}

/** What an app adds below the text of a refusal, such as a telephone number. */
export const ProblemHelp = createContext<(error: ApiError) => ReactNode>(() => null)

export interface ProblemProps {
  error: ApiError | null | undefined
  /** What "try again" does. Left out: there is no such button. */
  onRetry?: (() => void) | undefined
}

/** Shows why something did not work. Nothing is shown without an error. */
export function Problem({ error, onRetry }: ProblemProps) {
  const t = useTranslations('ui')
  const textOf = useRefusalText()
  const wait = useCountdown(error)
  const helpFor = useContext(ProblemHelp)
  if (!error) return null
  const offline = error.status === 0
  return (
    <Alert
      color={offline ? 'gray' : 'red'}
      variant="outline"
      role="alert"
      icon={offline ? <IconWifiOff /> : <IconAlertCircle />}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{textOf(error)}</Text>
        {helpFor(error)}
        {error.status >= 500 && error.requestId !== undefined && (
          <Text size="sm" c="dimmed">
            {t('problem.requestId', { id: error.requestId })}
          </Text>
        )}
        {onRetry && (
          <Group>
            <Button variant="default" onClick={onRetry} disabled={wait > 0}>
              {wait > 0 ? t('problem.wait', { seconds: wait }) : t('action.retry')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** Seconds until the server takes the request again; 0: now. For the button of a write that met a 429 or 503. */
export function useCountdown(error: ApiError | null | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const until = Date.now() + (error?.retryAfter ?? 0) * 1000
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    if (!error?.retryAfter) return undefined
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [error])
  return left
}
