import { Button, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWholeList } from '#ui/api/hooks.ts'
import { useChangeSearch } from '#ui/data-list/list-search.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import classes from '../../../parts/patients/plans/plan.module.css'
import { PlanBuilder } from '../../../parts/patients/plans/plan-builder.tsx'
import { draftOf, emptyDraft, type PlanDraft } from '../../../parts/patients/plans/plan-draft.ts'

/** A new plan: empty, from a program, or a copy. The URL contains the source. */
export function NewPlanTab() {
  const { program, copy, sessions } = useSearch({ from: '/$clinic/patients/$id/plans/new' })
  const t = useTranslations('console.plans')
  if (program !== undefined) return <FromProgram id={program} />
  if (copy !== undefined) return <FromPlan id={copy} />
  if (sessions !== undefined) {
    const count = Math.min(7, Math.max(1, Number(/\d+/.exec(sessions)?.[0] ?? 1)))
    return <Begun key={sessions} draft={emptyDraft(count, (number) => t('session', { number }))} />
  }
  return <Ways />
}

function FromProgram({ id }: { id: string }) {
  const program = useRead('GET /v1/programs/{id}', { params: { id } })
  return <Loaded query={program}>{({ data }) => <Begun draft={draftOf(data, { copy: true })} programId={id} />}</Loaded>
}

function FromPlan({ id }: { id: string }) {
  const plan = useRead('GET /v1/treatment-plans/{id}', { params: { id } })
  return <Loaded query={plan}>{({ data }) => <Begun draft={draftOf(data, { copy: true })} />}</Loaded>
}

function Begun({ draft, programId }: { draft: PlanDraft; programId?: string }) {
  const t = useTranslations('console.plans')
  const { slug } = useClinic()
  const patientId = useParams({ from: '/$clinic/patients/$id' }).id
  const navigate = useNavigate()
  const [initial] = useState(draft)
  return (
    <PlanBuilder
      patientId={patientId}
      initial={initial}
      programId={programId}
      onDone={({ id }, outcome) => {
        toast({ text: t(outcome) })
        void navigate({
          to: '/$clinic/patients/$id/plans/$planId',
          params: { clinic: slug, id: patientId, planId: id },
          replace: true,
          ignoreBlocker: true,
        })
      }}
    />
  )
}

const PER_WEEK = ['1', '2', '3', '4', '5', '6', '7']

function Ways() {
  const t = useTranslations('console.plans.start')
  const change = useChangeSearch()
  const patient_id = useParams({ from: '/$clinic/patients/$id' }).id
  const programs = useWholeList('GET /v1/programs', { query: { status: 'active', sort: 'name' } })
  const plans = useWholeList('GET /v1/treatment-plans', { query: { patient_id } })
  return (
    <Stack>
      <Title order={2} tabIndex={-1} data-part>
        {t('title')}
      </Title>
      <div className={classes.ways}>
        <Way
          title={t('scratch')}
          text={t('scratchText')}
          label={t('perWeek')}
          start="3"
          options={PER_WEEK.map((value) => ({ value, label: value }))}
          onBegin={(count) => change({ sessions: `${count}x` })}
        />
        <Way
          title={t('program')}
          text={t('programText')}
          label={t('chooseProgram')}
          options={programs.data?.items.map(({ id, name }) => ({ value: id, label: name }))}
          none={t('noPrograms')}
          onBegin={(id) => change({ program: id })}
        />
        <Way
          title={t('copy')}
          text={t('copyText')}
          label={t('choosePlan')}
          options={plans.data?.items.map(({ id, title }) => ({ value: id, label: title }))}
          none={t('noPlans')}
          onBegin={(id) => change({ copy: id })}
        />
      </div>
    </Stack>
  )
}

interface WayProps {
  title: string
  text: string
  label: string
  options: { value: string; label: string }[] | undefined
  start?: string
  none?: ReactNode
  onBegin: (value: string) => void
}

function Way({ title, text, label, options, start = '', none, onBegin }: WayProps) {
  const t = useTranslations('console.plans.start')
  const [chosen, setChosen] = useState(start)
  const value = chosen || (options?.[0]?.value ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    onBegin(value)
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <form onSubmit={send}>
        <Stack gap="sm">
          <Title order={3} size="h4">
            {title}
          </Title>
          <Text c="dimmed">{text}</Text>
          {options?.length === 0 ? (
            <Text>{none}</Text>
          ) : (
            <>
              <NativeSelect
                label={label}
                value={value}
                data={options ?? []}
                onChange={(event) => setChosen(event.currentTarget.value)}
              />
              <Button
                type="submit"
                variant={start === '' ? 'default' : 'filled'}
                aria-label={`${t('begin')}: ${title}`}
              >
                {t('begin')}
              </Button>
            </>
          )}
        </Stack>
      </form>
    </Paper>
  )
}
