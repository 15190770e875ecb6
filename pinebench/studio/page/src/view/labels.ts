// The words on the editor's buttons, in the languages a test can switch to.
import { faults } from '../faults';

interface Labels {
  add: string;
  update: string;
  save: string;
}

const ENGLISH: Labels = { add: 'Add to chart', update: 'Update on chart', save: 'Save' };

const LABELS: Record<string, Labels> = {
  de: { add: 'Zum Chart hinzufügen', update: 'Im Chart aktualisieren', save: 'Speichern' },
  es: { add: 'Añadir al gráfico', update: 'Actualizar en el gráfico', save: 'Guardar' },
  fr: { add: 'Ajouter au graphique', update: 'Mettre à jour sur le graphique', save: 'Enregistrer' },
  ja: { add: 'チャートに追加', update: 'チャートを更新', save: '保存' },
  ko: { add: '차트에 추가', update: '차트에서 업데이트', save: '저장' },
  pt: { add: 'Adicionar ao gráfico', update: 'Atualizar no gráfico', save: 'Salvar' },
  ru: { add: 'Добавить на график', update: 'Обновить на графике', save: 'Сохранить' },
  /** A language that no table has. */
  xx: { add: 'Ynd qrav', update: 'Qrav ovp', save: 'Vrag' },
  zh: { add: '添加至图表', update: '更新图表', save: '保存' },
};

export function labels(): Labels {
  const { add, update, save } = LABELS[faults.locale] ?? ENGLISH;
  const shown = (text: string) => (faults.doubledLabels ? text + text : text);
  return { add: shown(add), update: shown(update), save: shown(save) };
}
