import { ActionIcon, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { SavedView } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { useChangeSearch } from '#ui/data-list/list-search.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { IconBookmark, IconTrash } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { useSavedViews } from './use-saved-views.ts'
import { viewNames } from './views.ts'

const SAVED = 'saved:'

/** Selects what the list shows: all patients, a filter, a segment, or a saved view. */
export function ViewSelect({ view, sort }: { view: string; sort: string | undefined }) {
  const t = useTranslations('console.patients')
  const change = useChangeSearch()
  const segments = useList('GET /v1/segments', {}, { enabled: useMay()('segments.view') })
  const saved = useSavedViews()
  const [naming, setNaming] = useState(false)
  const items = segments.data?.items ?? []
  const current = saved.views.find((one) => (one.filters.view ?? '') === view && one.sort === sort)
  const choose = (value: string) => {
    const chosen = saved.views.find(({ name }) => `${SAVED}${name}` === value)
    if (chosen) change({ view: chosen.filters.view, sort: chosen.sort })
    else change({ view: value || undefined, sort: undefined })
  }
  const remove = async (name: string) => {
    if (await saved.remove(name)) toast({ text: t('savedView.removed', { name }) })
  }
  const isSpecial = view !== '' || sort !== undefined
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <NativeSelect
          aria-label={t('view')}
          value={current ? `${SAVED}${current.name}` : view}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{t('views.all')}</option>
          {viewNames.map((name) => (
            <option key={name} value={name}>
              {t(`views.${name}`)}
            </option>
          ))}
          {saved.views.length > 0 && (
            <optgroup label={t('savedView.mine')}>
              {saved.views.map(({ name }) => (
                <option key={name} value={`${SAVED}${name}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
          {items.length > 0 && (
            <optgroup label={t('segments')}>
              {items.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </NativeSelect>
        {current && (
          <ActionIcon
            aria-label={t('savedView.remove', { name: current.name })}
            title={t('savedView.remove', { name: current.name })}
            loading={saved.write.isPending}
            onClick={() => void remove(current.name)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        )}
        {!current && isSpecial && saved.isReady && (
          <ActionIcon aria-label={t('savedView.save')} title={t('savedView.save')} onClick={() => setNaming(true)}>
            <IconBookmark size={18} />
          </ActionIcon>
        )}
      </Group>
      {!naming && <Problem error={saved.write.error} />}
      <NameView
        open={naming}
        view={{ filters: view === '' ? {} : { view }, ...(sort === undefined ? {} : { sort }) }}
        saved={saved}
        onClose={() => {
          saved.write.reset()
          setNaming(false)
        }}
      />
    </>
  )
}

interface NameViewProps {
  open: boolean
  view: Omit<SavedView, 'name'>
  saved: ReturnType<typeof useSavedViews>
  onClose: () => void
}

function NameView({ open, ...props }: NameViewProps) {
  const t = useTranslations('console.patients.savedView')
  return (
    <Dialog open={open} title={t('save')} onClose={props.onClose}>
      <NameForm {...props} />
    </Dialog>
  )
}

function NameForm({ view, saved, onClose }: Omit<NameViewProps, 'open'>) {
  const t = useTranslations('console.patients.savedView')
  const form = useApiForm(saved.write, { views: [{ ...view, name: '' }] })
  const { rows, change, error } = form.rows('views')
  const problem = error(0, 'name')
  const send = form.onSubmit(async ({ views }) => {
    const name = views[0]?.name.trim() ?? ''
    if (!(await saved.save({ ...view, name }))) return
    toast({ text: t('saved', { name }) })
    onClose()
  })
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <Text c="dimmed">{t('help')}</Text>
        <TextInput
          name="views.0.name"
          label={t('name')}
          required
          maxLength={80}
          autoComplete="off"
          data-autofocus
          value={rows[0]?.name ?? ''}
          error={problem}
          onChange={(event) => change(0, { name: event.currentTarget.value })}
        />
        <Problem error={problem === undefined ? saved.write.error : null} />
        <SubmitButtons write={saved.write} onCancel={onClose} />
      </Stack>
    </form>
  )
}
