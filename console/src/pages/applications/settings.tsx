import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { time, useT } from '../../texts/i18n.ts';
import { Button, TextArea, TextField } from '../../ui/controls.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useAction } from '../../ui/use-action.ts';
import { basesQuery } from '../knowledge/knowledge.tsx';
import { BUILT_IN_TOOLS, type BuiltInTool } from './built-in-tools.ts';
import { McpChoice, type Shared, sharedMember } from './mcp-choice.tsx';
import { type Model, ModelFields, sentModel } from './model-fields.tsx';
import { ToolChoice } from './tool-choice.tsx';

type Application = Schemas['Application'];

export function ApplicationSettings({ application, mayChange }: { application: Application; mayChange: boolean }) {
  const t = useT();
  const { id, config, updated_at } = application;
  const [name, setName] = useState(application.name);
  const [prompt, setPrompt] = useState(config.system_prompt ?? '');
  const [model, setModel] = useState<Model>({
    provider: config.model.provider,
    name: config.model.name,
    base_url: config.model.base_url ?? '',
    api_key: '',
  });
  const [temperature, setTemperature] = useState(String(config.temperature ?? ''));
  const [bases, setBases] = useState<readonly string[]>(config.knowledge_bases);
  const [tools, setTools] = useState<readonly BuiltInTool[]>(
    BUILT_IN_TOOLS.filter((type) => config.tools.some((tool) => tool.type === type)),
  );
  const [mcp, setMcp] = useState<Shared>({
    enabled: config.mcp.enabled,
    description: config.mcp.description ?? '',
  });
  const values = JSON.stringify([name, prompt, model, temperature, bases, tools, mcp]);
  const [stored] = useState(values);
  const isChanged = values !== stored;
  const { data: allBases } = useQuery(basesQuery);
  // Tools of other kinds are made by the API, and stay as they are.
  const others = config.tools.filter(({ type }) => !(BUILT_IN_TOOLS as readonly string[]).includes(type));
  const save = useAction(async () => {
    const isSameModel =
      model.provider === config.model.provider &&
      model.name === config.model.name &&
      model.base_url === (config.model.base_url ?? '') &&
      model.api_key === '';
    await dataOf(
      api.PATCH('/api/v1/applications/{id}', {
        params: { path: { id } },
        body: {
          name,
          updated_at,
          config: {
            // The model, its prompt and tools belong to chat: a workflow has them at its nodes.
            ...(config.workflow_id === null && {
              ...(!isSameModel && { model: sentModel(model) }),
              system_prompt: prompt === '' ? null : prompt,
              temperature: temperature.trim() === '' ? null : Number(temperature),
              knowledge_bases: [...bases],
              ...(others.length === 0 && { tools: tools.map((type) => ({ type })) }),
            }),
            mcp: sharedMember(config.mcp, mcp),
          },
        } as never,
      }),
    );
  }, ['applications']);
  const toggle = <T,>(all: readonly T[], one: T, isOn: boolean) =>
    isOn ? [...all, one] : all.filter((each) => each !== one);
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-3">
        <legend className="mb-2 font-semibold">{t('applications.settings')}</legend>
        <TextField
          label={t('common.name')}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {config.workflow_id !== null ? (
          <div>
            <p className="text-sm font-medium">{t('applications.ofWorkflow')}</p>
            <Link to="/workflows/$id" params={{ id: config.workflow_id }} className="text-accent underline">
              {t('applications.openWorkflow')}
            </Link>
          </div>
        ) : (
          <>
            <TextArea
              label={t('applications.prompt')}
              rows={4}
              value={prompt}
              onChange={({ target }) => setPrompt(target.value)}
            />
            <ModelFields model={model} hasKey={config.model.has_api_key} onChange={setModel} />
            <TextField
              label={t('applications.temperature')}
              type="number"
              min={0}
              max={2}
              step={0.1}
              value={temperature}
              onChange={({ target }) => setTemperature(target.value)}
            />
            {allBases && allBases.length > 0 && (
              <fieldset>
                <legend className="text-sm font-medium">{t('nav.knowledge')}</legend>
                {allBases.map((base) => (
                  <label key={base.id} className="flex items-center gap-2">
                    <input
                      type="checkbox"
                      checked={bases.includes(base.id)}
                      onChange={({ target }) => setBases(toggle(bases, base.id, target.checked))}
                    />
                    <span className="[overflow-wrap:anywhere]">{base.name}</span>
                  </label>
                ))}
              </fieldset>
            )}
            <ToolChoice
              chosen={tools}
              others={others}
              canCall={model.provider !== 'embedded'}
              onChange={(type, isOn) => setTools(toggle(tools, type, isOn))}
            />
          </>
        )}
        <McpChoice value={mcp} onChange={setMcp} />
        <ProblemNote error={save.error} />
        {mayChange && (
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" look="main" disabled={save.isPending}>
              {t('common.save')}
            </Button>
            <p role="status" className="text-sm text-muted">
              {isChanged ? t('applications.unsaved') : `${t('applications.saved')} · ${time(updated_at)}`}
            </p>
          </div>
        )}
      </fieldset>
    </form>
  );
}
