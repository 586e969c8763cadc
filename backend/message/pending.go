package message

// PendingRow is a row that shows changes: one of them, or all of a repository or a database.
type PendingRow struct {
	PendingChange
	// Paths are those that are applied with it.
	Paths []string
}

// PendingRows are the rows of changes: of what was moved there is one, at the new path.
func PendingRows(changes []PendingChange) []PendingRow {
	var rows []PendingRow
	units := map[string]int{}
	for _, c := range changes {
		at, known := units[c.Unit]
		switch {
		case c.Unit != "" && known:
			rows[at].Paths = append(rows[at].Paths, c.Path)
			if rows[at].Held == nil {
				rows[at].Held = c.Held
			}
		case c.Unit != "":
			units[c.Unit] = len(rows)
			rows = append(rows, PendingRow{PendingChange{Path: c.Unit, Kind: "modified", Unit: c.Unit, Held: c.Held}, []string{c.Path}})
		case c.From != "":
			rows = append(rows, PendingRow{c, []string{c.Path, c.From}})
		case c.To == "":
			rows = append(rows, PendingRow{c, []string{c.Path}})
		}
	}
	return rows
}
