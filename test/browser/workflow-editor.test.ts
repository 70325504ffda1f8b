import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newNode } from '../../console/src/pages/workflows/editor/new-nodes.ts';
import type { JsonObject, NodeType } from '../../functions/workflows/domain/graph/graph.ts';
import { NODE_TYPES } from '../../functions/workflows/domain/graph/node-types.ts';
import { toGraphResponse } from '../../functions/workflows/graph-wire.ts';
import { useBrowser } from '../helpers/browser.ts';
import { accessibilityFaults, eventually, settled, visitConsole } from '../helpers/console.ts';
import { envelope } from '../helpers/workflows/calls.ts';
import { graph, node } from '../helpers/workflows/graphs.ts';
import { createWorkspace } from '../helpers/workspace.ts';

const MAX_ACTIONS = 60;

const browsing = useBrowser();

/** Counts a person's actions: clicks, choices, and typed texts. */
function counted() {
  let actions = 0;
  const one = async (action: Promise<unknown>) => {
    actions += 1;
    await action;
  };
  return {
    click: (at: Locator) => one(at.click()),
    fill: (at: Locator, text: string) => one(at.fill(text)),
    choose: (at: Locator, option: string | { label: string }) => one(at.selectOption(option)),
    count: () => actions,
  };
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const step = (page: Page, title: string) => page.locator('.react-flow__node').filter({ hasText: title }).first();

/** A workflow of a new workspace, opened in its editor. */
async function opened(drawn: ReturnType<typeof graph>) {
  const workspace = await createWorkspace();
  const caller = { ...browsing.service, ...workspace };
  const body = { name: 'Drawn', graph: toGraphResponse(drawn) };
  const { json } = await envelope<{ id: string }>(caller, 'POST', '/workflows', body);
  const { page, context } = await visitConsole(browsing.browser, browsing.service, workspace);
  await page.goto(`/workflows/${json.data.id}`);
  await eventually(() => page.locator('.react-flow__node').count()).toBe(drawn.nodes.length);
  const stored = async () =>
    (
      await envelope<{ graph: { nodes: { id: string }[]; edges: object[] } }>(
        caller,
        'GET',
        `/workflows/${json.data.id}`,
      )
    ).json.data.graph;
  return { page, context, stored, id: json.data.id, caller };
}

describe('the workflow editor', () => {
  it(`draws, runs, corrects and publishes a branching workflow in ${MAX_ACTIONS} actions, without JSON`, async () => {
    const workspace = await createWorkspace();
    const caller = { ...browsing.service, ...workspace };
    await envelope(caller, 'POST', '/applications', { name: 'Model', type: 'chat' });
    const { page, context } = await visitConsole(browsing.browser, browsing.service, workspace);
    await page.goto('/workflows');
    const { click, fill, choose, count } = counted();
    const add = async (type: string) => {
      await click(button(page, 'Add a node'));
      await click(page.getByRole('dialog').getByRole('button', { name: type }).first());
    };

    await click(button(page, 'New workflow'));
    await fill(page.getByRole('dialog').getByLabel('Name'), 'Refunds');
    await click(button(page, 'Create'));
    await click(step(page, 'Start'));
    await add('Condition');
    await choose(page.getByLabel('Value: Insert a value…'), 'start.name' as never);
    await choose(page.getByLabel('Comparison'), 'equals');
    await fill(page.getByLabel('Compared with', { exact: true }), 'Ann');
    await add('Approval');
    await fill(page.getByLabel('Message', { exact: true }).first(), 'Refund?');
    await add('Agent');
    await choose(page.getByLabel('Model of the application'), { label: 'Model' });
    await fill(page.getByLabel('Prompt', { exact: true }), 'Say hello');
    await add('Code');
    await choose(page.getByLabel('next'), 'end');
    await click(step(page, 'Approval'));
    await choose(page.getByLabel('rejected'), 'end');
    await add('Template');
    await click(step(page, 'Answer'));
    await fill(page.getByLabel('Text', { exact: true }), 'Done for {{start.name}}');
    await click(button(page, 'Save'));

    await fill(page.getByLabel('name', { exact: true }), 'Bob');
    await click(button(page, 'Run the draft'));
    await click(button(page, 'Reject'));
    await page.getByText('Done for Bob').first().waitFor();
    // The template was too much: its time-out exit is left without it.
    await click(step(page, 'Template'));
    await click(button(page, 'Delete'));
    await eventually(() => page.locator('.react-flow__node').count()).toBe(6);
    await click(button(page, 'Save'));
    await click(button(page, 'Publish'));
    await page.getByText('version 1').first().waitFor();
    await click(button(page, 'Use in an application'));
    await page.waitForURL('**/applications/*');
    expect(count()).toBeLessThanOrEqual(MAX_ACTIONS);
    await context.close();
  });

  it('selects, deletes by key, undoes, redoes, and moves a node while it is dragged', async () => {
    const { page, context, stored } = await opened(
      graph(
        [node('start', 'start'), node('ask', 'approval', { message: '?' }), node('end', 'answer', { text: 'x' })],
        ['start > ask', 'ask:approved > end', 'ask:rejected > end'],
      ),
    );
    const [nodes, edges] = [page.locator('.react-flow__node'), page.locator('.react-flow__edge')];
    await step(page, 'ask').click();
    await page.keyboard.press('Delete');
    await eventually(async () => [await nodes.count(), await edges.count()]).toEqual([2, 0]);
    await page.getByRole('region', { name: 'Graph' }).click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('Control+z');
    await eventually(async () => [await nodes.count(), await edges.count()]).toEqual([3, 3]);
    await button(page, 'Redo').click();
    await eventually(() => nodes.count()).toBe(2);
    await button(page, 'Undo').click();
    // One of the two edges between the same nodes.
    await edges.filter({ hasText: 'rejected' }).click({ force: true });
    await page.keyboard.press('Backspace');
    await eventually(() => edges.count()).toBe(2);
    const box = (await step(page, 'end').boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 15);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 75, { steps: 4 });
    const halfway = (await step(page, 'end').boundingBox())!;
    expect(halfway.y - box.y).toBeGreaterThan(20);
    await page.mouse.up();
    await settled(page);
    expect(Math.abs((await step(page, 'end').boundingBox())!.y - halfway.y)).toBeLessThan(5);
    await button(page, 'Save').click();
    await eventually(async () => (await stored()).edges.length).toBe(2);
    await context.close();
  });

  it('copies and pastes nodes, also by its button, and finds them by their names', async () => {
    const { page, context } = await opened(
      graph([node('start', 'start'), node('text', 'template', { template: 'Hi' })], ['start > text']),
    );
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await step(page, 'text').click();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await eventually(() => page.locator('.react-flow__node').count()).toBe(3);
    await button(page, 'Duplicate').click();
    await eventually(() => page.locator('.react-flow__node').count()).toBe(4);
    await page.getByRole('region', { name: 'Graph' }).click({ position: { x: 5, y: 5 } });
    await page.getByLabel('Find a node').fill('start');
    await eventually(() =>
      page.getByRole('region', { name: 'Settings of the workflow' }).getByRole('listitem').count(),
    ).toBe(1);
    await button(page, 'start').click();
    await page.getByLabel('Title').waitFor();
    await button(page, 'Arrange').click();
    await context.close();
  });

  it('has no fault of accessibility in the form of any type of node', async () => {
    const all = NODE_TYPES.filter((type) => type !== 'start').map((type) => newNode(type, type, [], undefined));
    const { page, context } = await opened(
      graph(
        [
          node('start', 'start'),
          ...all.map(({ type, data }) => node(type, type as NodeType, data!.config as JsonObject)),
        ],
        [],
      ),
    );
    for (const type of NODE_TYPES) {
      await page.locator(`.react-flow__node[data-id=${type}]`).dispatchEvent('click');
      await page.getByLabel('Title').first().waitFor();
      expect(await accessibilityFaults(page), type).toEqual([]);
    }
    await context.close();
  });

  it('asks before unsaved changes are left, and offers them again after a closed tab', async () => {
    const { page, context, id } = await opened(graph([node('start', 'start')], []));
    await button(page, 'Add a node').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('link', { name: 'Sandbox' }).click();
    await button(page, 'Stay').click();
    expect(page.url()).toContain(id);
    const isKept = () => page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('tripod-unsaved'))");
    await eventually(isKept).toBe(true);
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await again.goto(`/workflows/${id}`);
    await again.getByRole('button', { name: 'Continue with them' }).click();
    await eventually(() => again.locator('.react-flow__node').count()).toBe(2);
    await again.getByRole('link', { name: 'Sandbox' }).click();
    await again.getByRole('button', { name: 'Leave without saving' }).click();
    await again.waitForURL('**/sandbox');
    await context.close();
  });

  it('stores a draft with faults, names them, and publishes it only without them', async () => {
    const { page, context, stored } = await opened(graph([node('start', 'start')], []));
    await button(page, 'Add a node').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Workflow' }).click();
    await page.getByText('What keeps it from running').waitFor();
    await button(page, 'Save').click();
    await eventually(async () => (await stored()).nodes.length).toBe(2);
    await button(page, 'Publish').click();
    await page
      .getByRole('alert')
      .getByText(/workflow_id/)
      .waitFor();
    await context.close();
  });

  it('renames, duplicates, exports and deletes a workflow, and saves after publishing', async () => {
    const { page, context } = await opened(graph([node('start', 'start')], []));
    await button(page, 'Publish').click();
    await page.getByText('version 1').first().waitFor();
    await step(page, 'start').click();
    await page.getByLabel('Title').fill('Beginning');
    await button(page, 'Save').click();
    await eventually(() => button(page, 'Save').isDisabled()).toBe(true);
    await button(page, 'More').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
    await button(page, 'Rename').click();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await button(page, 'More').click();
    const download = page.waitForEvent('download');
    await button(page, 'Export').click();
    expect((await download).suggestedFilename()).toBe('Renamed.json');
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Copy of Renamed' }).waitFor();
    await button(page, 'More').click();
    await button(page, 'Delete the workflow').click();
    await button(page, 'Delete the workflow').last().click();
    await page.waitForURL('**/workflows');
    await page.getByRole('link', { name: 'Renamed' }).waitFor();
    expect(await page.getByRole('link', { name: 'Copy of Renamed' }).count()).toBe(0);
    await context.close();
  });
});
