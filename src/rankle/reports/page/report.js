"use strict";
// Fills the list of queries from the JSON in the page. All text is set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 50, RESULTS = 20;
  const several = data.runs.length > 1;
  const $ = (id) => document.getElementById(id);

  const { el, th, compare, makeSortable, mark } = page;

  // --- the list of queries -------------------------------------------------------------------
  let measure = data.main, shown = PAGE, sortBy = null, down = false, matching = [];
  const score = (query, run) => (query.runs[run] ? query.runs[run].scores[measure] ?? null : null);
  const difference = (query) => {
    const a = score(query, 0), b = score(query, 1);
    return a === null || b === null ? null : b - a;
  };
  const isHit = (answer, run) => answer.first !== null && answer.first <= data.k[run];
  const any = (query, test) => query.runs.some((answer, run) => answer && test(answer, run));
  const isMissed = (query) => any(query, (answer, run) => answer.status === "scored" && !isHit(answer, run));
  const FILTERS = [
    ["all queries", () => true],
    [several ? "missed by some run" : "without a relevant result in the top k", isMissed],
    ["failed", (query) => any(query, (answer) => answer.status === "failed")],
    ["undefined", (query) => any(query, (answer) => answer.status === "undefined")],
  ];
  const isWrong = (answer, answerable) => answer.answerable === answerable && answer.abstained === answerable;
  if (data.queries.some((query) => any(query, (answer) => answer.answerable === false))) {
    FILTERS.push(
      ["answered though nothing does", (query) => any(query, (answer) => isWrong(answer, false))],
      ["abstained though there is an answer", (query) => any(query, (answer) => isWrong(answer, true))],
    );
  }
  if (several) {
    FILTERS.push(
      [`better with ${data.runs[1]}`, (query) => difference(query) > 1e-9],
      [`worse with ${data.runs[1]}`, (query) => difference(query) < -1e-9],
    );
  }
  function figure(value) {
    if (value === null || value === undefined) return "—";
    return data.measures[measure] && data.measures[measure].percent ? `${(100 * value).toFixed(1)}%` : value.toFixed(3);
  }
  function signed(value) {
    if (value === null) return "—";
    const text = Math.abs(value).toFixed(3);
    return Number(text) === 0 ? "0.000" : (value < 0 ? "−" : "+") + text;
  }
  function scoreText(query, run) {
    const answer = query.runs[run];
    if (!answer) return "not asked";
    if (answer.status === "scored") return figure(score(query, run));
    return answer.answerable === false ? (answer.abstained ? "abstained" : "answered") : answer.status;
  }
  const lost = (answer) => [...new Set(answer.targets.filter((t) => t[4] !== null).map((t) => t[4]))].join(", ");

  const COLUMNS = [{ head: "Query", value: (query) => query.query }];
  data.runs.forEach((name, run) => {
    COLUMNS.push({
      head: several ? name : "Score", value: (query) => score(query, run), text: (query) => scoreText(query, run), isFigure: true,
    });
  });
  if (several) {
    COLUMNS.push({
      head: data.runs.length > 2 ? `${data.runs[1]} − ${data.runs[0]}` : "Difference", value: difference,
      text: (query) => signed(difference(query)), isFigure: true,
      style: (query) => (difference(query) > 1e-9 ? "better" : difference(query) < -1e-9 ? "worse" : ""),
    });
  } else {
    COLUMNS.push(
      { head: "First hit", value: (query) => query.runs[0].first, text: (query) => query.runs[0].first ?? "—", isFigure: true },
      { head: "Lost", value: (query) => lost(query.runs[0]), text: (query) => lost(query.runs[0]) },
    );
  }

  const list = $("list"), headRow = el("tr"), body = el("tbody");
  COLUMNS.forEach((column) => {
    const head = th(column.head, "col");
    makeSortable(head, (wasDown) => {
      down = sortBy === column ? !wasDown : false;
      sortBy = column;
      shown = PAGE;
      mark(headRow.cells, head, down);
      refresh();
    });
    headRow.append(head);
  });
  const head = el("thead");
  head.append(headRow);
  list.append(head, body);

  function rowOf(query) {
    const row = el("tr"), first = th(null, "row");
    const button = el("button", query.query, { type: "button" });
    button.setAttribute("aria-expanded", "false");
    const about = el("small", [query.id, ...query.more].join(" · "));
    first.append(button, about);
    row.append(first);
    for (const column of COLUMNS.slice(1)) {
      const cell = el("td", column.text(query));
      cell.className = [column.isFigure ? "figure" : "", column.style ? column.style(query) : ""].join(" ").trim();
      row.append(cell);
    }
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) row.nextElementSibling.remove();
      else row.after(detail(query));
    });
    return row;
  }

  function table(heads, rows, caption) {
    const node = el("table"), top = el("tr"), rest = el("tbody"), thead = el("thead");
    node.append(el("caption", caption));
    top.append(...heads.map((text) => th(text, "col")));
    thead.append(top);
    rest.append(...rows);
    node.append(thead, rest);
    const box = el("div", null, { className: "scroll" });
    box.append(node);
    return box;
  }
  function targetRow(target, stages) {
    const [id, grade, relevant, rank, lostAt, rankAt] = target, row = el("tr");
    if (relevant) row.className = "relevant";
    row.append(th(data.ids[id], "row"), el("td", grade, { className: "grade" }));
    for (const stage of stages) row.append(el("td", rankAt[stage] ?? "—"));
    row.append(el("td", rank ?? "—"), el("td", lostAt ?? "", { className: "lost" }));
    return row;
  }
  function resultRow(result, answer) {
    const [rank, id, documentId, value, grade] = result, row = el("tr");
    const target = answer.targets.find((one) => one[0] === id);
    if (target && target[2]) row.className = "relevant";
    const name = documentId === null ? data.ids[id] : `${data.ids[documentId]} (${data.ids[id]})`;
    row.append(el("td", rank), th(name, "row"), el("td", grade === null ? "unjudged" : grade, { className: "grade" }));
    row.append(el("td", Number(value.toPrecision(5)), { className: "figure" }));
    return row;
  }
  function abstentionText(answer) {
    const side = answer.answerable ? "There is an answer" : "Nothing answers this query";
    return `${side}; this run ${answer.abstained ? "abstained" : "did not abstain"}.`;
  }
  function answerOf(query, run) {
    const answer = query.runs[run], box = el("div");
    if (several) box.append(el("h3", data.runs[run]));
    if (!answer) {
      box.append(el("p", "This run did not ask the query."));
      return box;
    }
    if (answer.error !== null) box.append(el("p", answer.error, { className: "error" }));
    if (answer.answerable !== undefined) box.append(el("p", abstentionText(answer), { className: "small" }));
    const scores = data.measures
      .map((one, place) => [one, answer.scores[place]])
      .filter((pair) => pair[1] !== null)
      .map(([one, value]) => `${one.title} ${one.percent ? `${(100 * value).toFixed(1)}%` : value.toFixed(3)}`);
    box.append(el("p", scores.join(" · "), { className: "small" }));
    if (answer.targets.length) {
      const known = new Set(answer.targets.flatMap((target) => Object.keys(target[5])));
      const stages = data.stages[run].filter((stage) => known.has(stage));
      for (const stage of known) if (!stages.includes(stage)) stages.push(stage);
      const rows = answer.targets.map((target) => targetRow(target, stages));
      box.append(table(["Judged", "Grade", ...stages, "Rank", "Lost"], rows, "What is judged, and its rank in each stage"));
    }
    if (answer.results.length) {
      const rows = answer.results.map((result) => resultRow(result, answer));
      const cut = answer.n_results > rows.length ? `first ${rows.length} of ${answer.n_results}` : rows.length;
      const listed = table(["", "Result", "Grade", "Score"], rows.slice(0, RESULTS), `Results (${cut})`);
      box.append(listed);
      if (rows.length > RESULTS) {
        const all = el("button", `Show ${rows.length - RESULTS} more results`, { type: "button" });
        all.addEventListener("click", () => {
          listed.querySelector("tbody").append(...rows.slice(RESULTS));
          all.remove();
        });
        box.append(all);
      }
    } else if (answer.status !== "failed") {
      box.append(el("p", "Nothing was returned."));
    }
    return box;
  }
  function detail(query) {
    const row = el("tr", null, { className: "detail" }), cell = el("td", null, { colSpan: COLUMNS.length });
    const box = el("div", null, { className: "answers" });
    box.append(...data.runs.map((_, run) => answerOf(query, run)));
    cell.append(box);
    row.append(cell);
    return row;
  }

  function refresh() {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const test = FILTERS[$("which").value][1];
    matching = data.queries.filter((query) => {
      const text = `${query.id} ${query.query} ${query.more.join(" ")}`.toLowerCase();
      return words.every((word) => text.includes(word)) && test(query);
    });
    if (sortBy) matching.sort((a, b) => compare(sortBy.value(a), sortBy.value(b), down));
    body.replaceChildren(...matching.slice(0, shown).map(rowOf));
    tell();
  }
  function tell() {
    const seen = Math.min(shown, matching.length);
    $("count").textContent = `${seen.toLocaleString("en")} of ${matching.length.toLocaleString("en")} queries; choose one to see its results`;
    $("more").hidden = seen === matching.length;
    $("more").textContent = `Show ${Math.min(PAGE, matching.length - seen)} more`;
  }
  FILTERS.forEach(([label], place) => $("which").append(new Option(label, place)));
  data.measures.forEach((one, place) => $("measure").append(new Option(one.title, place, false, place === measure)));
  $("find").addEventListener("input", () => { shown = PAGE; refresh(); });
  $("which").addEventListener("change", () => { shown = PAGE; refresh(); });
  $("measure").addEventListener("change", () => { measure = Number($("measure").value); shown = PAGE; refresh(); });
  $("more").addEventListener("click", () => {
    body.append(...matching.slice(shown, shown + PAGE).map(rowOf));
    shown += PAGE;
    tell();
  });
  document.querySelector(".controls").hidden = false;
  refresh();
})();
