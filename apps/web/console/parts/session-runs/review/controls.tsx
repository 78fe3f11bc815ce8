import { ActionIcon, Group, Kbd, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '#ui/icons/index.ts'
import type { ReviewClock } from './clock.ts'
import type { Marker } from './markers.ts'
import classes from './review.module.css'
import { timeText } from './use-marker-text.ts'
import { markerAfter, markerBefore, toggle } from './use-review-keys.ts'

export const useClockMs = (clock: ReviewClock) => useSyncExternalStore(clock.subscribe, clock.ms)

export function Controls({ clock, markers }: { clock: ReviewClock; markers: readonly Marker[] }) {
  const t = useTranslations('console.review')
  const ms = useClockMs(clock)
  const playing = useSyncExternalStore(clock.subscribe, clock.playing)
  const rate = useSyncExternalStore(clock.subscribe, clock.rate)
  const before = markerBefore(markers, ms)
  const after = markerAfter(markers, ms)
  return (
    <Group gap="xs" className={classes.controls}>
      <ActionIcon
        variant="default"
        size={44}
        aria-label={t('previousMarker')}
        disabled={!before}
        onClick={() => before && clock.seek(before.at_ms)}
      >
        <IconChevronLeft />
      </ActionIcon>
      <ActionIcon
        variant="filled"
        size={44}
        aria-label={playing ? t('pause') : t('play')}
        onClick={() => toggle(clock)}
      >
        {playing ? <IconPlayerPause /> : <IconPlayerPlay />}
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={44}
        aria-label={t('nextMarker')}
        disabled={!after}
        onClick={() => after && clock.seek(after.at_ms)}
      >
        <IconChevronRight />
      </ActionIcon>
      <Text className={classes.time} data-run-ms={Math.round(ms)}>
        {timeText(ms)} / {timeText(clock.duration)}
        {playing && rate !== 1 && ` · ${rate}×`}
      </Text>
      <Text size="sm" c="dimmed" className={classes.keys} component="div">
        <Kbd>{t('space')}</Kbd> {t('keys.play')} <Kbd>←</Kbd> <Kbd>→</Kbd> {t('keys.step')} <Kbd>J</Kbd> <Kbd>K</Kbd>{' '}
        <Kbd>L</Kbd> {t('keys.speed')} <Kbd>B</Kbd> <Kbd>N</Kbd> {t('keys.marker')}
      </Text>
    </Group>
  )
}
