# Reports whether the amounts in budget.csv are right and add up to its total.
sum=0
while IFS=, read -r item quantity price amount; do
  case $item in
    item) ;;
    total) total=$amount ;;
    *)
      if [ "$((quantity * price))" -ne "$amount" ]; then
        echo "$item: $quantity x $price is $((quantity * price)), not $amount"
        exit 1
      fi
      sum=$((sum + amount))
      ;;
  esac
done < budget.csv
if [ "$sum" -ne "$total" ]; then
  echo "the total is $sum, not $total"
  exit 1
fi
echo "the budget is right: $total"
