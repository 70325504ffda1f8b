import type { Schemas } from '../../api/openapi.d.ts';
import { useT } from '../../texts/i18n.ts';
import { Select, TextField } from '../../ui/controls.tsx';

type Provider = Schemas['Application']['config']['model']['provider'];

const PROVIDERS: readonly Provider[] = ['embedded', 'openai-compatible', 'bedrock'];

/** A model as a person sets it. */
export interface Model {
  readonly provider: Provider;
  readonly name: string;
  /** Of a server of OpenAI's API, as its key is. */
  readonly base_url: string;
  /** Empty: the stored one stays. */
  readonly api_key: string;
}

const isServer = ({ provider }: Model) => provider === 'openai-compatible';

/** The member of the request, without what the provider does not use. */
export function sentModel(model: Model) {
  const { provider, name, base_url, api_key } = model;
  return { provider, name, ...(isServer(model) && { base_url, ...(api_key !== '' && { api_key }) }) };
}

/** @param hasKey whether a key of the provider is stored */
export function ModelFields({
  model,
  hasKey,
  onChange,
}: {
  model: Model;
  hasKey: boolean;
  onChange: (model: Model) => void;
}) {
  const t = useT();
  return (
    <>
      <Select
        label={t('applications.provider')}
        hint={t(`applications.providerHint.${model.provider}`)}
        value={model.provider}
        onChange={({ target }) => onChange({ ...model, provider: target.value as Provider })}
      >
        {PROVIDERS.map((provider) => (
          <option key={provider}>{provider}</option>
        ))}
      </Select>
      <TextField
        label={t('applications.model')}
        required
        value={model.name}
        onChange={({ target }) => onChange({ ...model, name: target.value })}
      />
      {isServer(model) && (
        <>
          <TextField
            label={t('applications.address')}
            type="url"
            required
            value={model.base_url}
            onChange={({ target }) => onChange({ ...model, base_url: target.value })}
          />
          <TextField
            label={t('applications.apiKey')}
            hint={hasKey ? t('applications.apiKeyKept') : undefined}
            type="password"
            autoComplete="off"
            value={model.api_key}
            onChange={({ target }) => onChange({ ...model, api_key: target.value })}
          />
        </>
      )}
    </>
  );
}
