import type { PrivacyNotice, PrivacyNoticeTemplate } from '@tendon/sdk'
import { useWrite } from '#ui/api/hooks.ts'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { givenIn, missingIn, valuesOf } from './notice-rules.ts'

/** The draft of the notice: checked and shown as it will be, then saved and published in one step. */
export function useNoticeForm(notice: PrivacyNotice, template: PrivacyNoticeTemplate, onPublished: () => void) {
  const { id } = useClinic()
  const params = { id }
  const template_version = template.version
  const publish = useWrite('POST /v1/organizations/{id}/privacy-notice/publish', {
    refresh: ['/v1/organizations/{id}/privacy-notice'],
    onDone: onPublished,
  })
  const save = useWrite('PUT /v1/organizations/{id}/privacy-notice', {
    onDone: ({ data }) => publish.mutate({ params, body: { version: data.version } }),
  })
  const preview = useWrite('POST /v1/organizations/{id}/privacy-notice/preview')
  const final = useWrite('POST /v1/organizations/{id}/privacy-notice/preview')
  const close = () => {
    for (const one of [final, save, publish]) one.reset()
  }
  const write = {
    ...save,
    error: save.error ?? publish.error,
    isPending: save.isPending || publish.isPending,
    isSuccess: publish.isSuccess,
    reset: close,
  }
  const form = useApiForm(write, valuesOf(notice), {
    version: notice.version,
    valuesOf,
    isMoreChanged: publish.isError,
    adapt: ({ placeholder_values, ...body }) => ({ ...body, placeholder_values: givenIn(placeholder_values) }),
    check: (values) =>
      Object.fromEntries(
        missingIn(template, values).map((key) => [`placeholder_values.${key}`, { code: 'required' } as const]),
      ),
  })
  const { placeholder_values, included_sections } = form.values
  return {
    form,
    write,
    preview,
    final,
    close,
    /** Shows the text that would be published. */
    submit: form.onSubmit((body) => final.mutate({ params, body: { ...body, template_version } })),
    store: form.onSubmit((body, version) => save.mutate({ params, body: { ...body, template_version, version } })),
    showPreview: () =>
      preview.mutate({
        params,
        body: {
          template_version,
          placeholder_values: givenIn(placeholder_values),
          included_sections: [...included_sections],
        },
      }),
  }
}
