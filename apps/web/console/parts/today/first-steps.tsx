import { Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { type LinkProps, linkOptions } from '@tanstack/react-router'
import { ButtonLink } from '#ui/frame/links.tsx'
import '@mantine/core/styles/ThemeIcon.layer.css'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { IconCheck, IconMinus } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { InviteColleague } from '../members/invite-colleague.tsx'
import { NewSpecialist } from '../specialists/new-specialist.tsx'
import classes from './first-steps.module.css'
import type { FirstStep, StepName } from './use-first-steps.ts'

/** The checklist of a new clinic: each step has one action. */
export function FirstSteps({ steps }: { steps: FirstStep[] | undefined }) {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const [open, setOpen] = useState<StepName>()
  const close = () => setOpen(undefined)
  if (!steps) return <Skeletons rows={7} height={64} />
  const done = steps.filter((step) => step.done).length
  const params = { clinic: slug }
  const pages: Partial<Record<StepName, LinkProps>> = {
    notice: linkOptions({ to: '/$clinic/privacy-notice', params }),
    service: linkOptions({ to: '/$clinic/settings/services', params }),
    hours: linkOptions({ to: '/$clinic/settings/hours', params }),
    patient: linkOptions({ to: '/$clinic/patients', params, search: { new: 'yes' } }),
    plan: linkOptions({ to: '/$clinic/patients', params }),
  }
  const next = steps.find((step) => !step.done && step.mine)?.name
  return (
    <Paper withBorder component="section" aria-labelledby="first-steps">
      <Stack gap={4} p="lg" pb="sm">
        <Title order={2} id="first-steps">
          {t('stepsTitle')}
        </Title>
        <Text c="dimmed">{t('stepsText', { done, total: steps.length })}</Text>
      </Stack>
      <ol className={classes.steps}>
        {steps.map(({ name, done: isDone, mine }) => {
          const variant = name === next ? 'filled' : 'default'
          const page = pages[name]
          return (
            <li key={name} className={classes.step}>
              <Group wrap="nowrap" gap="md" className={classes.words}>
                <ThemeIcon radius="xl" size={32} variant={isDone ? 'filled' : 'default'}>
                  {isDone ? <IconCheck size={18} /> : <IconMinus size={18} />}
                </ThemeIcon>
                <div>
                  <Text fw={600}>{t(`steps.${name}.title`)}</Text>
                  <Text size="sm" c="dimmed">
                    {t(`steps.${name}.text`)}
                  </Text>
                </div>
                <VisuallyHidden>{isDone ? t('stepDone') : t('stepOpen')}</VisuallyHidden>
              </Group>
              {!isDone &&
                mine &&
                (page === undefined ? (
                  <Button variant={variant} onClick={() => setOpen(name)}>
                    {t(`steps.${name}.action`)}
                  </Button>
                ) : (
                  <ButtonLink variant={variant} {...page}>
                    {t(`steps.${name}.action`)}
                  </ButtonLink>
                ))}
            </li>
          )
        })}
      </ol>
      <InviteColleague open={open === 'colleague'} onClose={close} />
      <NewSpecialist open={open === 'specialist'} onClose={close} />
    </Paper>
  )
}
