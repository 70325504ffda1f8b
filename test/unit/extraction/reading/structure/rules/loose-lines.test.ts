import { expect, it } from 'vitest';
import { looseLines } from '../../../../../../functions/extraction/domain/reading/structure/rules/loose-lines.ts';
import { rule } from '../../../../../helpers/draw.ts';

it('finds lines down the page that end free inside a frame, and no pieces of its rules', () => {
  const horizontal = [0, 100, 200].map((at) => rule(at, 0, 300, 200));
  const vertical = [0, 150, 300].map((at) => rule(at, 0, 200, 200));
  const [inside, piece, outside] = [rule(80, 20, 80, 90), rule(152, 20, 80, 90), rule(400, 20, 80, 90)];
  const frames = [{ horizontal, vertical }];
  expect(looseLines([...vertical, inside, piece, outside], frames, 14)).toEqual([inside]);
});
